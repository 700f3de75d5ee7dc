import type { Redis } from 'ioredis';
import pg from 'pg';
import type { Text } from '../../platform/cli-messages.js';
import type { Config } from '../../platform/config.js';
import { ConfigurationError } from '../../platform/configuration-error.js';
import { appConnection, OPERATOR_ROLE } from '../../platform/database.js';
import {
  type DatabaseSetting,
  refusedConnection,
  requireLeastPrivilege,
  requireRole,
} from '../../platform/database-role.js';
import { EXPECTED_MIGRATIONS } from '../../platform/database-probe.js';
import { readRedisUrl } from '../../platform/redis-address.js';
import { connectRedis } from '../../platform/redis.js';
import { checkStandby } from './check-standby.js';
import { atMost, type Finding, look, reasonOf, right, wrong } from './finding.js';
import { inLanguages } from './settings-messages.js';

const ANSWER_MS = 5_000;
const DATABASE: Text = { zh: '数据库', en: 'Database' };
const LEDGER: Text = { zh: '账本连接', en: 'Ledger connection' };
const OWNER: Text = { zh: '迁移账号', en: 'Migrations' };
const REDIS: Text = { zh: 'Redis', en: 'Redis' };
const CLOCK: Text = { zh: '时钟', en: 'Clock' };

type Server = {
  version: number;
  shown: string;
  readOnly: boolean;
  missing: string[] | null;
  unsafe: string[];
  connections: number;
};

/** The version that the product is developed and tested with, and the oldest that it was seen to run on. */
const TESTED_VERSION = 18;
const LEAST_VERSION = 15;

const SERVER = `
SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_version') AS shown,
  current_setting('transaction_read_only')::bool AS "readOnly", current_setting('max_connections')::int AS connections,
  ARRAY(SELECT name FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off') AS unsafe`;
const MISSING = 'SELECT ARRAY(SELECT unnest($1::text[]) EXCEPT SELECT name FROM mikro_orm_migrations) AS missing';

/** DATABASE_URL, and LEDGER_DATABASE_URL if it is another: role, version, schema, durability. STANDBY_DATABASE_URL: that it is a standby, and its lag. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { env } = config;
  const ledger = env.LEDGER_DATABASE_URL;
  const owner = env.DATABASE_MIGRATION_URL;
  return [
    ...(await checkConnection(config, { about: DATABASE, setting: 'DATABASE_URL', url: env.DATABASE_URL })),
    ...(ledger === undefined
      ? []
      : await checkConnection(config, { about: LEDGER, setting: 'LEDGER_DATABASE_URL', url: ledger })),
    ...(env.STANDBY_DATABASE_URL === undefined ? [] : await checkStandby(config)),
    ...(owner === undefined ? [] : [await checkOwner(owner)]),
  ];
}

type Place = { about: Text; setting: DatabaseSetting; url: string };

async function checkConnection(config: Config, { about, setting, url }: Place): Promise<Finding[]> {
  const client = new pg.Client({ ...appConnection(config, 'yiqiao-doctor', OPERATOR_ROLE), connectionString: url });
  try {
    await client.connect();
    await requireRole(setting, OPERATOR_ROLE)(client);
    if (config.production)
      await requireLeastPrivilege(
        setting,
        OPERATOR_ROLE,
        async (sql) => (await client.query<{ superuser: boolean; owner: boolean }>(sql)).rows,
      );
    const server = await readServer(client);
    const problems = serverProblems(server, config);
    return problems.length > 0 ? problems.map((says) => wrong(about, says)) : [serverFinding(about, server)];
  } catch (error) {
    const problem = error instanceof ConfigurationError ? error : refusedConnection(setting, OPERATOR_ROLE, error);
    if (problem) return problem.problems.map((each) => wrong(about, inLanguages(each)));
    const why = reasonOf(error);
    return [
      wrong(about, {
        zh: `${setting} 连不上（${why}）：检查地址、防火墙，以及 PostgreSQL 是否在运行`,
        en: `${setting} cannot be reached (${why}): check the address, the firewall, and that PostgreSQL runs`,
      }),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function readServer(client: pg.Client): Promise<Server> {
  const { rows } = await client.query<Omit<Server, 'missing'>>(SERVER);
  const [server] = rows;
  if (!server) throw new Error('no answer');
  const missing = await client
    .query<{ missing: string[] }>(MISSING, [EXPECTED_MIGRATIONS])
    .then(({ rows: [row] }) => row?.missing ?? null)
    .catch(() => null);
  return { ...server, missing };
}

function serverProblems({ version, shown, readOnly, missing, unsafe }: Server, config: Config): Text[] {
  const problems: Text[] = [];
  if (version < LEAST_VERSION)
    problems.push({
      zh: `PostgreSQL ${shown} 太旧，需要 ${TESTED_VERSION}`,
      en: `PostgreSQL ${shown} is too old; it must be ${TESTED_VERSION}`,
    });
  if (readOnly)
    problems.push({
      zh: '服务器只读：地址指向了备库，或磁盘已满；应指向主库',
      en: 'the server only reads: the address leads to a standby, or its disk is full; it must lead to the primary',
    });
  if (missing === null || missing.length > 0)
    problems.push({
      zh: `表结构不是当前版本${missing ? `，缺 ${missing.join('、')}` : ''}：运行 operator prepare`,
      en: `the schema is not of this version${missing ? `, it lacks ${missing.join(', ')}` : ''}: run operator prepare`,
    });
  if (config.production && unsafe.length > 0)
    problems.push({
      zh: `${unsafe.join('、')} 处于关闭状态，断电会丢失已确认的操作：在 postgresql.conf 中打开`,
      en: `${unsafe.join(', ')} is off, so a power failure loses what was acknowledged: turn it on in postgresql.conf`,
    });
  return problems;
}

function serverFinding(about: Text, { version, shown, connections }: Server): Finding {
  const last = EXPECTED_MIGRATIONS.at(-1) ?? '';
  const said: Text = {
    zh: `PostgreSQL ${shown}，角色 ${OPERATOR_ROLE}，表结构 ${last}，最多 ${connections} 个连接`,
    en: `PostgreSQL ${shown} as ${OPERATOR_ROLE}, schema ${last}, at most ${connections} connections`,
  };
  if (version >= TESTED_VERSION) return right(about, said);
  return look(about, {
    zh: `${said.zh}；本产品以 ${TESTED_VERSION} 测试`,
    en: `${said.en}; this product is tested with ${TESTED_VERSION}`,
  });
}

async function checkOwner(url: string): Promise<Finding> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ owns: boolean }>(
      `SELECT pg_has_role(current_user, relowner, 'MEMBER') AS owns FROM pg_class WHERE oid = to_regclass('public.member')`,
    );
    if (rows[0]?.owns !== false)
      return right(OWNER, { zh: '可以登录，拥有表结构', en: 'signs in and owns the schema' });
    return wrong(OWNER, {
      zh: 'DATABASE_MIGRATION_URL 的账号不是表的属主，迁移会失败：改用属主账号',
      en: 'the login of DATABASE_MIGRATION_URL does not own the tables, so migrations fail: name the owner',
    });
  } catch (error) {
    const why = reasonOf(error);
    return wrong(OWNER, {
      zh: `DATABASE_MIGRATION_URL 连不上（${why}）`,
      en: `DATABASE_MIGRATION_URL cannot be reached (${why})`,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The oldest that BullMQ recommends. */
const REDIS_LEAST = [6, 2] as const;

export async function checkRedis(config: Config): Promise<Finding[]> {
  return withRedis(
    config,
    async (redis) => {
      const info = await redis.info('server', 'memory');
      const field = (name: string): string => new RegExp(`^${name}:(.*)$`, 'm').exec(info)?.[1]?.trim() ?? '';
      const [version, policy] = [field('redis_version'), field('maxmemory_policy')];
      const [major = 0, minor = 0] = version.split('.').map(Number);
      const findings: Finding[] = [];
      if (major < REDIS_LEAST[0] || (major === REDIS_LEAST[0] && minor < REDIS_LEAST[1]))
        findings.push(
          wrong(REDIS, {
            zh: `Redis ${version} 太旧，需要 ${REDIS_LEAST.join('.')} 以上`,
            en: `Redis ${version} is too old; it must be ${REDIS_LEAST.join('.')} or later`,
          }),
        );
      if (policy !== 'noeviction')
        findings.push(
          wrong(REDIS, {
            zh: `maxmemory-policy 是 ${policy}，内存满时会丢任务：CONFIG SET maxmemory-policy noeviction，并写进 redis.conf`,
            en: `maxmemory-policy is ${policy}, so jobs are lost when memory is full: CONFIG SET maxmemory-policy noeviction, and in redis.conf`,
          }),
        );
      if (findings.length > 0) return findings;
      const { sentinels } = readRedisUrl(config.env.REDIS_URL) ?? {};
      const by = sentinels
        ? { zh: `，经 Sentinel（${sentinels.name}）`, en: `, by Sentinels (${sentinels.name})` }
        : { zh: '', en: '' };
      return [right(REDIS, { zh: `Redis ${version}，noeviction${by.zh}`, en: `Redis ${version}, noeviction${by.en}` })];
    },
    (why) => [
      wrong(REDIS, {
        zh: `REDIS_URL 连不上（${why}）：检查地址、密码、防火墙，以及 Redis 是否在运行`,
        en: `REDIS_URL cannot be reached (${why}): check the address, the password, the firewall, and that Redis runs`,
      }),
    ],
  );
}

async function withRedis<T>(
  config: Config,
  work: (redis: Redis) => Promise<T>,
  otherwise: (why: string) => T,
): Promise<T> {
  let why = '';
  const redis = connectRedis(config, { lazyConnect: true, maxRetriesPerRequest: 1, retryStrategy: () => null });
  redis.on('error', (error: Error) => (why = reasonOf(error)));
  try {
    return await atMost(
      ANSWER_MS,
      redis.connect().then(() => work(redis)),
    );
  } catch (error) {
    return otherwise(why || reasonOf(error));
  } finally {
    redis.disconnect();
  }
}

/** Sessions, codes and orders end by the database's clock, heartbeats by this one. */
const SKEW_MOST_MS = 2_000;

/** Compares this machine's clock with those of the stores. */
export async function checkClock(config: Config): Promise<Finding[]> {
  const skews = [
    { name: 'PostgreSQL', ms: await skewOf(() => databaseTime(config)) },
    { name: 'Redis', ms: await skewOf(() => redisTime(config)) },
  ].filter((skew): skew is { name: string; ms: number } => skew.ms !== null);
  if (skews.length === 0) return [look(CLOCK, { zh: '没有可以比较的时钟', en: 'there is no clock to compare with' })];
  return skews.map(({ name, ms }) => {
    const seconds = Math.abs(ms / 1_000).toFixed(1);
    if (Math.abs(ms) <= SKEW_MOST_MS)
      return right(CLOCK, { zh: `与 ${name} 相差 ${seconds} 秒`, en: `${seconds} s from that of ${name}` });
    return wrong(CLOCK, {
      zh: `与 ${name} 相差 ${seconds} 秒：在两台机器上打开时间同步（timedatectl set-ntp true）`,
      en: `${seconds} s from that of ${name}: turn on time synchronisation on both machines (timedatectl set-ntp true)`,
    });
  });
}

/** How far this clock is ahead, in ms, give or take half the time of the answer; null without an answer. */
async function skewOf(read: () => Promise<number>): Promise<number | null> {
  const asked = Date.now();
  const theirs = await read().catch(() => null);
  return theirs === null ? null : (asked + Date.now()) / 2 - theirs;
}

async function databaseTime(config: Config): Promise<number> {
  const client = new pg.Client(appConnection(config, 'yiqiao-doctor', OPERATOR_ROLE));
  try {
    await client.connect();
    const time = 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms';
    const { rows } = await client.query<{ ms: number }>(time);
    return Number(rows[0]?.ms);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const redisTime = (config: Config): Promise<number> =>
  withRedis(
    config,
    async (redis) => {
      const [seconds, micros] = await redis.time();
      return Number(seconds) * 1_000 + Number(micros) / 1_000;
    },
    (why) => {
      throw new Error(why);
    },
  );
