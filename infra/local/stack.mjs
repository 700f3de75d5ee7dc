// The product as services that can be killed and restarted one by one: stores, sandbox, worker, api and operators; and its data.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { productEnv, withoutSecrets } from './environment.mjs';
import { allOrFirstError, createService, runTool, spawnDaemon, waitUntilReady } from './lifecycle.mjs';
import { acceptsConnections, httpAnswers } from './ports.mjs';
import { createPostgres } from './postgres.mjs';
import { build, pinnedNode, projectEnv, readJson, root } from './project.mjs';
import { createRedis } from './redis.mjs';
import { acquireRunFolder, stopInOrder } from './run-folder.mjs';
import { createSteps, Failure } from './terminal.mjs';

// As in infra/entry.sh: a large young generation, so that most objects of a request die in it, and a limit for the old one.
export const apiHeap = ['--max-semi-space-size=32', `--max-old-space-size=${process.env.API_HEAP_MB || 1024}`];
// A replay reads millions of rows and keeps none: a large young generation would only cost memory.
export const operatorHeap = ['--max-semi-space-size=8'];

export const operatorProgram = path.join(root, 'apps/api/dist/src/operator.js');
export const operatorArgs = ['--enable-source-maps', ...operatorHeap, operatorProgram];

/** @returns {Promise<{code: number, output: string}>} */
export const runOperator = (env, args) =>
  runTool(pinnedNode, [...operatorArgs, ...args], { cwd: root, env: { ...projectEnv(), ...env } });

/**
 * @param {object} options
 * @param {string} options.dataDir       everything it keeps; no other stack may hold it
 * @param {object} [options.folder]      the run folder, if the caller has acquired it already
 * @param {string} [options.toolsDir]    where unpacked Debian packages are shared (default dataDir)
 * @param {number} [options.port]        the api's; must be free (default: any free one)
 * @param {number} [options.sandboxPort] the sandbox's; likewise
 * @param {number} [options.operatorPort] the operators'; likewise
 * @param {object} [options.steps]       who prints (default: nobody)
 * @param {object} [options.env]         more environment for the api, the worker and the sandbox
 * @param {object} [options.userEnv]     where the user's settings are read from (default: this process's environment)
 * @param {boolean} [options.durable]    false: PostgreSQL without fsync
 * @param {boolean} [options.fresh]      true: begin with empty stores
 * @param {boolean} [options.demo]       seed the demo account
 * @param {boolean} [options.history]    with two months of history, if its database is empty
 * @param {Function} [options.onStack]   gets the stack before anything is started, so that it can be stopped
 * @returns {Promise<object>} the stack: `urls`, `env` (of the api), `demo`, `services()`, `kill(name)`, `restart(name)`, `stop()`
 */
export async function startStack(options) {
  const { dataDir, userEnv = process.env, durable, fresh, demo = true, history = false } = options;
  const steps = options.steps ?? createSteps({ quiet: true });
  const toolsDir = options.toolsDir ?? dataDir;
  const folder = options.folder ?? (await acquireRunFolder(dataDir));
  const stack = createStack(folder);
  options.onStack?.(stack);
  try {
    const { register } = stack;
    // An empty ledger is another one: the witness must not hold the old one's closes against it.
    if (fresh) fs.rmSync(path.join(dataDir, 'witness.jsonl'), { force: true });
    const stores = startStores({ folder, toolsDir, steps, register, userEnv, durable, fresh });
    const [storeEnv] = await allOrFirstError([stores, steps.run('build', build)]);
    const env = await productEnv({ ...options, userEnv, toolsDir }, storeEnv);
    stack.env = env;
    const start = async (names) => {
      const apps = names.map((name) => createApp({ name, env, folder }));
      apps.forEach(register);
      await allOrFirstError(apps.map((app) => app.start()));
    };
    const sandbox = start(['sandbox']); // it needs neither store
    const data = steps.run('data', async () => {
      const prepared = await prepareData({ env, demo, history, folder, ownStore: !userEnv.DATABASE_URL });
      stack.demo = prepared.demo;
      return prepared.note;
    });
    await allOrFirstError([data, sandbox]);
    await steps.run('services', async () => {
      const names = ['api', 'worker', 'operators', ...(env.BACKUP_URL ? ['backup'] : [])];
      await start(names);
      return ['sandbox', ...names].join(', ');
    });
    stack.urls = {
      api: `http://localhost:${env.PORT}`,
      sandbox: env.SANDBOX_URL,
      operators: `http://localhost:${env.OPERATOR_PORT}`,
    };
    stack.save();
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

function createStack(folder) {
  const services = new Map();
  let stopping;
  const stack = {
    urls: undefined,
    env: undefined,
    demo: undefined,
    services: () => [...services.values()],
    kill: (name, signal) => services.get(name).kill(signal),
    restart: (name) => services.get(name).restart(),
    register(service) {
      if (stopping) throw new Failure('stopped while starting');
      services.set(service.name, service);
      service.onSpawn(stack.save);
    },
    save() {
      const running = stack.services().map((service) => service.identity());
      const env = withoutSecrets(stack.env);
      folder.save({ urls: stack.urls, env, demo: stack.demo, services: running.filter(Boolean) });
    },
    stop() {
      stopping ??= stopInOrder(stack.services(), (service) => service.stop()).then(() => folder.release());
      return stopping;
    },
  };
  return stack;
}

const stores = [
  { variable: 'DATABASE_URL', step: 'database', defaultPort: 5432, create: createPostgres },
  { variable: 'REDIS_URL', step: 'redis', defaultPort: 6379, create: createRedis },
];

/**
 * Starts both stores in parallel: the run's own, unless DATABASE_URL or REDIS_URL names another. Every service is passed
 * to `register` before it starts, so that the caller can stop it whatever happens next.
 * @param {object} options
 * @param {object} [options.userEnv]   where DATABASE_URL and REDIS_URL are read from (default: this process's environment)
 * @param {boolean} [options.durable]  false: PostgreSQL without fsync, for tests only
 * @param {boolean} [options.fresh]    true: delete what the folder's own stores contain
 * @returns {Promise<{DATABASE_URL: string, REDIS_URL: string, POSTGRES_BIN_DIR?: string, BACKUP_WORK_DIR?: string}>}
 */
export async function startStores({
  folder,
  toolsDir,
  steps,
  register,
  userEnv = process.env,
  durable = true,
  fresh = false,
}) {
  const env = {};
  const start = async ({ variable, step, defaultPort, create }) => {
    await steps.run(step, async () => {
      if (userEnv[variable]) {
        env[variable] = await checkReachable(variable, userEnv[variable], defaultPort);
        return variable;
      }
      const { service, url, note, env: more } = await create({ folder, toolsDir, durable, fresh });
      register(service);
      await service.start();
      Object.assign(env, more, { [variable]: url });
      return note;
    });
  };
  await Promise.all(stores.map(start));
  return env;
}

async function checkReachable(variable, address, defaultPort) {
  const hosts = hostsIn(address, defaultPort);
  if (!hosts) throw new Failure(`${variable} is not a URL`, { hints: [`unset ${variable} to use an embedded one`] });
  for (const host of hosts) if (await acceptsConnections(host)) return address;
  const names = hosts.map(({ host, port }) => `${host}:${port}`).join(', ');
  throw new Failure(`${variable} names ${names}, and nobody answers there`, {
    hints: ['start that server', `or unset ${variable} to use an embedded one`],
  });
}

const SENTINELS = /^rediss?\+sentinel:\/\/(?:[^@/]*@)?([^/@]+)\/./;

/** @returns {{host: string, port: number}[] | undefined} several for Sentinels, of which one is enough */
function hostsIn(address, defaultPort) {
  const [, sentinels] = SENTINELS.exec(address) ?? [];
  if (sentinels) return sentinels.split(',').map((each) => hostIn(`redis://${each}`, 26_379));
  return URL.canParse(address) ? [hostIn(address, defaultPort)] : undefined;
}

function hostIn(address, defaultPort) {
  const { hostname, port } = new URL(address);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || defaultPort) };
}

const programs = {
  api: { file: 'apps/api/dist/src/http.js', flags: apiHeap, portOf: (env) => env.PORT },
  worker: { file: 'apps/api/dist/src/worker.js', flags: operatorHeap, portOf: (env) => env.WORKER_PORT },
  operators: { file: 'apps/api/dist/src/operators.js', portOf: (env) => env.OPERATOR_PORT },
  sandbox: { file: 'apps/sandbox/dist/main.js', portOf: (env) => env.SANDBOX_PORT, ready: '/health' },
  backup: { file: 'apps/api/dist/src/operator.js', flags: operatorHeap, args: ['backup', 'stream'] },
};

/** @param {{name: 'api' | 'worker' | 'operators' | 'sandbox' | 'backup', env: Record<string, string>, folder: object}} options */
export function createApp({ name, env, folder }) {
  const { file, flags = [], args = [], portOf, ready = '/readyz' } = programs[name];
  const launch = async (onSpawn) => {
    const daemon = spawnDaemon({
      name,
      command: pinnedNode,
      args: ['--enable-source-maps', ...flags, path.join(root, file), ...args],
      env: { ...projectEnv(), ...env },
      cwd: root,
      logFile: folder.logFile(name),
    });
    onSpawn(daemon);
    // what serves nothing is ready when it runs, and says in its log how it fares
    if (portOf) await waitUntilReady(daemon, () => httpAnswers(`http://127.0.0.1:${portOf(env)}${ready}`), 60_000);
    return daemon;
  };
  return createService({ name, launch });
}

/**
 * Migrates and seeds, which takes two seconds, unless this build has already done so for this database.
 * @param {{env: object, demo: boolean, history: boolean, folder: object, ownStore: boolean}} options ownStore: the folder's own PostgreSQL
 * @returns {Promise<{demo?: {account: string, password: string}, note: string}>}
 */
async function prepareData({ env, demo, history, folder, ownStore }) {
  const cacheFile = path.join(folder.dataDir, 'prepared.json');
  const key = ownStore ? dataKey(env, demo) : undefined;
  const cached = key && readJson(cacheFile);
  if (key && cached?.key === key) return { demo: cached.demo, note: 'up to date' };
  const account = await migrateAndSeed(env, { demo, history });
  // an unfinished demo is completed at the next start
  if (key && !account?.unfinished) fs.writeFileSync(cacheFile, JSON.stringify({ key, demo: account }), { mode: 0o600 });
  return { demo: account, note: 'migrated and seeded' };
}

/** @returns {Promise<object | undefined>} the demo account that the seed printed, if any */
async function migrateAndSeed(env, { demo, history }) {
  const [args, demoEnv] = demo ? [['prepare', '--demo'], { DEMO: '1' }] : [['prepare'], {}];
  // Two months pass in seconds.
  const [more, limits] = demo && history ? [['--history'], { LIMIT_TRANSLATION_PER_SECOND: '1000' }] : [[], {}];
  const { code, output } = await runOperator({ ...env, ...demoEnv, ...limits }, [...args, ...more]);
  if (code !== 0) {
    throw new Failure(`migration or seeding ended with ${code}`, { detail: output.split('\n').slice(-25).join('\n') });
  }
  const line = output.split('\n').findLast((text) => text.startsWith('{"demo":'));
  return line ? JSON.parse(line).demo : undefined;
}

const builds = ['apps/api/dist', 'packages/domain/dist', 'packages/contracts/dist'];

/** The build and the cluster; a cluster is identified by its random password. */
function dataKey(env, demo) {
  const cluster = [new URL(env.DATABASE_URL).password, env.APP_SECRET, demo, env.SANDBOX_URL];
  const hash = createHash('sha256').update(JSON.stringify(cluster));
  for (const folder of builds.map((name) => path.join(root, name))) {
    const names = fs.readdirSync(folder, { recursive: true }).map(String).sort();
    for (const name of names.filter((each) => each.endsWith('.js'))) {
      hash.update(name).update(fs.readFileSync(path.join(folder, name)));
    }
  }
  return hash.digest('hex');
}
