import { MikroOrmModule } from '@mikro-orm/nestjs';
import { MikroORM } from '@mikro-orm/core';
import { defineConfig, type EntityManager, PostgreSqlDriver, type Options } from '@mikro-orm/postgresql';
import { type DynamicModule, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { Config } from './config.js';

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

/** Options of a connection outside the ORM's pool. */
/**
 * Startup settings of a session. Compiling a query takes longer than any of ours: `jit` doubled the time of a trial balance. Here and not with
 * ALTER ROLE, whose settings are those of the login and not of the role that it takes.
 */
const sessionOptions = (role: string): string => `-c role=${role} -c jit=off`;

export const appConnection = (config: Config, applicationName: string, role = APP_ROLE): pg.ClientConfig => {
  const types = new pg.TypeOverrides();
  parseValues(types);
  return {
    connectionString: config.env.DATABASE_URL,
    application_name: applicationName,
    options: sessionOptions(role),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    types,
  };
};

/**
 * The driver (Kysely) returns a transaction's connection to the pool only after a successful ROLLBACK, so a connection that dies inside a
 * transaction is lost, and a dozen restarts of PostgreSQL would drain the pool. Releases ended connections a second later. Also releases a
 * connection that becomes ready after the pool has begun to end: the driver drops it without returning it, and pool.end() would never finish.
 */
const releaseEndedClients = (pool: pg.Pool): void => {
  pool.setMaxListeners(0);
  pool.on('acquire', (client) => {
    let timer: NodeJS.Timeout | undefined;
    const lost = (): void => {
      timer = setTimeout(() => client.release(true), 1_000).unref();
    };
    const released = (_: Error | undefined, who: pg.PoolClient): void => {
      if (who !== client) return;
      clearTimeout(timer);
      client.removeListener('end', lost);
      pool.removeListener('release', released);
    };
    client.once('end', lost);
    pool.on('release', released);
    if (pool.ending) lost();
  });
};

/** Serialises the transactions with the same key until the transaction of `em` ends. Raw: advisory locks are unknown to the ORM. */
export async function lockKey(em: EntityManager, key: string): Promise<void> {
  await em.execute('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [key]);
}

const NAME = 'yiqiao';

const ormOptions = (config: Config, entities: Options['entities'], role: string): Options =>
  defineConfig({
    driver: PostgreSqlDriver,
    clientUrl: config.env.DATABASE_URL,
    entities,
    pool: { min: 1, max: 12, idleTimeoutMillis: 30_000 },
    driverOptions: {
      options: sessionOptions(role),
      application_name: NAME,
      connectionTimeoutMillis: 5_000,
      statement_timeout: 10_000,
      idle_in_transaction_session_timeout: 10_000,
      onPoolCreated: (pool: pg.Pool) => {
        releaseEndedClients(pool);
        parseValues(pool.options.types as unknown as Parameters<typeof parseValues>[0]);
      },
    },
    forceUtcTimezone: true,
    discovery: { warnWhenNoEntities: false },
  });

/** MikroORM would otherwise connect on first use, and the health check would fail until then. */
@Injectable()
class Connect implements OnModuleInit {
  constructor(
    private readonly orm: MikroORM<PostgreSqlDriver>,
    private readonly config: Config,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.orm.connect();
    if (this.config.production && (await this.orm.isConnected())) await this.#requireLeastPrivilege();
  }

  /** A login with more rights could undo the application's role by RESET ROLE and rewrite the ledger. */
  async #requireLeastPrivilege(): Promise<void> {
    const [who] = await this.orm.em.fork().execute<{ superuser: boolean; owner: boolean }[]>(PRIVILEGES);
    const what = who?.superuser ? 'a superuser' : who?.owner ? 'the owner of the tables' : null;
    if (what === null) return;
    throw new Error(
      `The environment is not complete:\n  DATABASE_URL: signs in as ${what}, who could rewrite the ledger; name a login IN ROLE ${APP_ROLE} that owns nothing, and the owner in DATABASE_MIGRATION_URL`,
    );
  }
}

/** The privileges of the login, whatever its current role. Raw: system catalogs. */
const PRIVILEGES = `
SELECT r.rolsuper AS superuser, EXISTS (SELECT FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
  AND pg_has_role(r.oid, c.relowner, 'MEMBER')) AS owner
FROM pg_roles r WHERE r.rolname = session_user`;

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
      providers: [Connect],
    };
  }
}
