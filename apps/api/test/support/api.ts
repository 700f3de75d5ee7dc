import { randomBytes } from 'node:crypto';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { auditLedger } from '../../src/ledger/audit/audit.js';
import { openApp } from '../../src/operator/operator-app.js';
import { Plans } from '../../src/plans/plans.js';
import { loadConfig } from '../../src/platform/config.js';
import { buildHttp } from '../../src/serve.js';
import { listManagers } from './operator.js';
import { freshDatabase, type FreshDatabase } from './database.js';

export type TestApi = {
  app: NestFastifyApplication;
  /** The application of the command line, on the same database. */
  commandLine: () => Promise<INestApplicationContext>;
  /** `http://127.0.0.1:<port>` of the listening server. */
  url: string;
  /** The environment of this api, for a worker that shares its database. */
  env: Record<string, string>;
  db: FreshDatabase['owner'];
  /** Ends with the audit: after any journey, every balance must follow from its entries (decisions §4). */
  stop: () => Promise<void>;
};

/** The sandbox's payment gateways, as the environment of the tests configures them. */
const gateways = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value !== undefined && /^(ALIPAY|WECHAT_PAY|LIANLIAN)_/.test(name) ? [[name, value]] : [],
    ),
  );

/** A shared compile cache, if the environment has one. */
const compiled = (): Record<string, string> =>
  process.env['NODE_COMPILE_CACHE'] ? { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] } : {};

export type Environment = Record<string, string>;

/**
 * The real application on its own database, listening on a free port. Extra environment, which may depend on its address, overrides the
 * defaults.
 */
export async function startApi(
  extra: Environment | ((databaseUrl: string) => Environment) = {},
  logs: { parts?: number } = {},
): Promise<TestApi> {
  const database = await freshDatabase(logs);
  const env: Record<string, string> = {
    NODE_ENV: 'test',
    PORT: '0',
    DATABASE_URL: database.url,
    REDIS_URL: process.env['REDIS_URL'] ?? 'redis://127.0.0.1:1',
    // A busy machine must not look like a dead Redis.
    REDIS_TIMEOUT_MS: '20000',
    // Nor may it refuse what it serves slowly: the suites of admission control set a limit themselves.
    LIMIT_LATENCY_MS: '60000',
    // Ids repeat between databases, so every application has its own key prefix in the shared Redis.
    REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    SMTP_URL: process.env['SMTP_URL'] ?? 'smtp://127.0.0.1:1',
    SANDBOX_URL: process.env['SANDBOX_URL'] ?? 'http://127.0.0.1:1',
    APERTIUM_DIR: process.env['APERTIUM_DIR'] ?? '',
    MEDIA_DIR: process.env['MEDIA_DIR'] ?? '',
    APP_SECRET: randomBytes(32).toString('hex'),
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'fatal',
    LIMIT_CODES_PER_IP: '100000',
    LIMIT_LOOKUPS_PER_IP: '100000',
    LIMIT_REGISTER_PER_IP: '100000',
    LIMIT_LOGIN_FAILURES_PER_IP: '100000',
    LIMIT_LOGINS_PER_IP: '100000',
    WEB_DIR: '/nonexistent',
    AUDIT_AT: 'off',
    ...gateways(),
    ...compiled(),
    ...(typeof extra === 'function' ? extra(database.url) : extra),
  };
  const app = await buildHttp(loadConfig(env));
  await app.get(Plans).seed();
  await listManagers(database.owner, 'tester');
  await app.listen(Number(env['PORT']), '127.0.0.1');
  let opened: Promise<INestApplicationContext> | undefined;
  const commandLine = (): Promise<INestApplicationContext> => (opened ??= openApp(loadConfig(env)));
  const stop = async (): Promise<void> => {
    await (await opened)?.close();
    await app.close();
    const { difference } = await auditLedger(database.owner);
    await database.drop();
    if (difference) throw new Error(`the ledger is not whole after this suite: ${JSON.stringify(difference)}`);
  };
  return { app, commandLine, url: (await app.getUrl()).replace('[::1]', '127.0.0.1'), env, db: database.owner, stop };
}
