import { MikroOrmModule } from '@mikro-orm/nestjs';
import { MikroORM } from '@mikro-orm/core';
import { defineConfig, type EntityManager, PostgreSqlDriver, type Options } from '@mikro-orm/postgresql';
import { type DynamicModule, Inject, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { Config } from './config.js';
import { ConfigurationError } from './configuration-error.js';
import { type DatabaseSetting, refusedConnection, requireLeastPrivilege, requireRole } from './database-role.js';
import { surviveOutages } from './pool-outages.js';
import { measurePool } from './telemetry/measure-postgres.js';

/** The role of every application connection, whatever its login: it cannot rewrite the ledger (decisions §4). */
export const APP_ROLE = 'yiqiao_app';
/** The role of the operators' process: that of the application, and what operators own (operators §1). */
export const OPERATOR_ROLE = 'yiqiao_operator';

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/** Ids and balances are safe integers; a larger value must not be rounded silently. */
export const parseInt8 = (text: string): number => {
  const n = Number(text);
  if (!Number.isSafeInteger(n)) throw new RangeError(`${text} is not a safe integer`);
  return n;
};

/** Value parsers of every connection: int8 as a number, timestamptz as a Date. */
export const parseValues = (types: {
  setTypeParser: (oid: number, parse: (text: string) => unknown) => void;
}): void => {
  types.setTypeParser(INT8, parseInt8);
  types.setTypeParser(TIMESTAMPTZ, (text) => new Date(text));
};

/**
 * Startup settings of a session. Compiling a query takes longer than any of ours: `jit` doubled the time of a trial balance. Here and not with
 * ALTER ROLE, whose settings are those of the login and not of the role that it takes.
 */
const sessionOptions = (role: string): string => `-c role=${role} -c jit=off`;

/** The kernel finds out within 20 s that the other end of an idle connection is gone, instead of after two hours. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 };

/** `onConnect` rejects a new connection with the wrong role; a pool calls it by itself. */
export type AppConnection = pg.ClientConfig & { onConnect?: (client: pg.ClientBase) => Promise<void> };

/** Options of a connection outside the ORM's pool, which keeps its session: it never goes through a pooler (LEDGER_DATABASE_URL). */
export const appConnection = (config: Config, applicationName: string, role = APP_ROLE): AppConnection =>
  connectionTo(sessionDatabase(config), applicationName, role);

/** The same to the hot standby. Throws without STANDBY_DATABASE_URL. */
export const standbyConnection = (config: Config, applicationName: string, role: string): AppConnection =>
  connectionTo(standbyOf(config), applicationName, role);

const connectionTo = ({ url, setting }: Place, applicationName: string, role: string): AppConnection => {
  const types = new pg.TypeOverrides();
  parseValues(types);
  return {
    connectionString: url,
    onConnect: requireRole(setting, role),
    application_name: applicationName,
    options: sessionOptions(role),
    connectionTimeoutMillis: 5_000,
    ...KEEP_ALIVE,
    types,
  };
};

type Place = { url: string; setting: DatabaseSetting };

const sessionDatabase = ({ env }: Config): Place =>
  env.LEDGER_DATABASE_URL === undefined
    ? { url: env.DATABASE_URL, setting: 'DATABASE_URL' }
    : { url: env.LEDGER_DATABASE_URL, setting: 'LEDGER_DATABASE_URL' };

/** A pool beside the ORM's. A connection that is lost, also one in use, makes its next query fail and does not end the process. */
export function openPool(settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(settings);
  const ignore = (): void => undefined;
  // The pool listens to idle connections only.
  return pool.on('error', ignore).on('connect', (client) => client.on('error', ignore));
}

/** Serialises the transactions with the same key until the transaction of `em` ends. Raw: advisory locks are unknown to the ORM. */
export async function lockKey(em: EntityManager, key: string): Promise<void> {
  await em.execute('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [key]);
}

const NAME = 'yiqiao';

const ormOptions = (config: Config, entities: Options['entities'], role: string, at = primaryOf(config)): Options =>
  defineConfig({
    driver: PostgreSqlDriver,
    clientUrl: at.url,
    entities,
    pool: { min: 1, max: config.env.DATABASE_POOL_MAX, idleTimeoutMillis: 30_000 },
    driverOptions: {
      options: sessionOptions(role),
      application_name: NAME,
      connectionTimeoutMillis: 5_000,
      ...KEEP_ALIVE,
      // MikroORM connects again for a read that comes after its end, as a cache's refresh may: no process waits for that connection.
      allowExitOnIdle: true,
      statement_timeout: 10_000,
      idle_in_transaction_session_timeout: 10_000,
      onConnect: requireRole(at.setting, role),
      onPoolCreated: (pool: pg.Pool) => {
        surviveOutages(pool);
        if (at.setting === 'DATABASE_URL') measurePool(pool, config.env.DATABASE_POOL_MAX);
        parseValues(pool.options.types as unknown as Parameters<typeof parseValues>[0]);
      },
    },
    // The migrator creates it: this role may not, and failing to would hide why the database does not answer.
    ensureDatabase: false,
    forceUtcTimezone: true,
    discovery: { warnWhenNoEntities: false },
  });

const primaryOf = ({ env }: Config): Place => ({ url: env.DATABASE_URL, setting: 'DATABASE_URL' });

function standbyOf({ env: { STANDBY_DATABASE_URL: url } }: Config): Place {
  if (url === undefined) throw new Error('there is no standby');
  return { url, setting: 'STANDBY_DATABASE_URL' };
}

/** The ORM on the hot standby. Throws without STANDBY_DATABASE_URL, and while it is away. */
export async function openStandby(
  config: Config,
  entities: Options['entities'],
  role: string,
): Promise<MikroORM<PostgreSqlDriver>> {
  const orm = new MikroORM<PostgreSqlDriver>(ormOptions(config, entities, role, standbyOf(config)));
  await orm.connect();
  return orm;
}

/** The role of this process in the database. */
const ROLE = Symbol('role');

/**
 * MikroORM would otherwise connect on first use, and the process would not be ready until then. Throws ConfigurationError when the database
 * is there and refuses the settings, or gives more rights than the role's. While it is away the process starts; each connection checks its
 * role when it is made.
 */
@Injectable()
class Connect implements OnModuleInit {
  constructor(
    private readonly orm: MikroORM<PostgreSqlDriver>,
    private readonly config: Config,
    @Inject(ROLE) private readonly role: string,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.orm.connect();
    const connected = await this.orm.checkConnection();
    if (!connected.ok) throwIfMisconfigured('DATABASE_URL', this.role, connected.error);
    else if (this.config.production)
      await requireLeastPrivilege('DATABASE_URL', this.role, (sql) => this.orm.em.fork().execute(sql));
    if (this.config.env.LEDGER_DATABASE_URL !== undefined) await this.#checkSessions();
  }

  async #checkSessions(): Promise<void> {
    const { onConnect, ...connection } = appConnection(this.config, `${NAME}-start`, this.role);
    const client = new pg.Client(connection);
    try {
      await client.connect();
      await onConnect?.(client);
      if (this.config.production)
        await requireLeastPrivilege(
          'LEDGER_DATABASE_URL',
          this.role,
          async (sql) => (await client.query<{ superuser: boolean; owner: boolean }>(sql)).rows,
        );
    } catch (error) {
      throwIfMisconfigured('LEDGER_DATABASE_URL', this.role, error);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function throwIfMisconfigured(setting: DatabaseSetting, role: string, error: unknown): void {
  const problem = error instanceof ConfigurationError ? error : refusedConnection(setting, role, error);
  if (problem) throw problem;
}

@Module({})
export class DatabaseModule {
  static forRoot(entities: Options['entities'], role: string): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        MikroOrmModule.forRootAsync({
          driver: PostgreSqlDriver,
          inject: [Config],
          // Every unit of work forks its own entity manager, in http, worker and operator alike: with one per request, the identity map would
          // return rows as they were before a bulk update.
          useFactory: (config: Config) => ({ ...ormOptions(config, entities, role), registerRequestContext: false }),
        }),
      ],
      providers: [Connect, { provide: ROLE, useValue: role }],
    };
  }
}
