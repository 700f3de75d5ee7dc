// The whole product: stores, data, sandbox, worker and api, as parts that can be killed and started again one by one.
import path from 'node:path';
import { apertiumDir } from './apertium.mjs';
import { createApp } from './apps.mjs';
import { build } from './build.mjs';
import { Failure } from './failure.mjs';
import { gatewayEnv, gatewayKeys } from './gateway-keys.mjs';
import { mediaDir } from './media.mjs';
import { innerPortBase, nextFreePort } from './ports.mjs';
import { prepareOnce } from './prepared.mjs';
import { root } from './project.mjs';
import { keptSecret, takeRunFolder } from './run-folder.mjs';
import { startServices } from './services.mjs';
import { createSteps } from './steps.mjs';
import { isVendorSetting, vendorEnv } from './vendor-env.mjs';

const stores = ['postgres', 'redis'];

/**
 * @param {object} options
 * @param {string} options.dataDir       everything it keeps; another stack may not hold it
 * @param {object} [options.folder]      the run folder, when the caller already took it
 * @param {string} [options.toolsDir]    where unpacked Debian packages are shared (default dataDir)
 * @param {number} [options.port]        the api's; must be free (default: one that is)
 * @param {number} [options.sandboxPort] the sandbox's; likewise
 * @param {object} [options.steps]       who prints (default: nobody)
 * @param {object} [options.env]         more environment for the api, the worker and the sandbox
 * @param {object} [options.given]       environment that may replace parts (default: the process's; {} for none)
 * @param {boolean} [options.durable]    false: PostgreSQL without fsync
 * @param {boolean} [options.fresh]      true: begin with empty stores
 * @param {boolean} [options.demo]       seed the demo account
 * @returns {Promise<Stack>} `urls`, `env` (of the api), `demo`, `part(name)`, `kill(name)`, `restart(name)`, `stop()`
 */
export async function startStack(options) {
  const { dataDir, given = process.env, durable, fresh, demo = true } = options;
  const steps = options.steps ?? createSteps({ quiet: true });
  const toolsDir = options.toolsDir ?? dataDir;
  const folder = options.folder ?? (await takeRunFolder(dataDir));
  const stack = createStack(folder);
  options.onStack?.(stack);
  try {
    const { adopt } = stack;
    const services = startServices({ folder, toolsDir, steps, adopt, given, durable, fresh });
    const [storeEnv] = await allOrFirstError([services, steps.run('build', build)]);
    const env = await environment({ ...options, given, toolsDir }, storeEnv);
    stack.env = env;
    const start = async (names) => {
      const parts = names.map((name) => createApp({ name, env, folder }));
      parts.forEach(adopt);
      await allOrFirstError(parts.map((part) => part.start()));
    };
    const sandbox = start(['sandbox']); // it needs neither store
    const prepare = async () => {
      const prepared = await prepareOnce({ env, demo, folder, own: !given.DATABASE_URL });
      stack.demo = prepared.demo;
      return prepared.note;
    };
    await allOrFirstError([steps.run('data', prepare), sandbox]);
    await steps.run('services', async () => {
      await start(['api', 'worker']);
      return 'sandbox, api, worker';
    });
    stack.urls = { api: `http://localhost:${env.PORT}`, sandbox: env.SANDBOX_URL };
    stack.save();
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Vendors' settings are never half kept: without its keys a vendor would stand in the way of the next start. */
const isSecret = (name) =>
  name === 'APP_SECRET' || /_PRIVATE_KEY$|_V3_KEY$/.test(name) || (isVendorSetting(name) && name !== 'SANDBOX_VENDORS');

function createStack(folder) {
  const parts = new Map();
  let stopping;
  const stack = {
    urls: undefined,
    env: undefined,
    demo: undefined,
    part: (name) => parts.get(name),
    parts: () => [...parts.values()],
    kill: (name, signal) => parts.get(name).kill(signal),
    restart: (name) => parts.get(name).restart(),
    adopt(part) {
      if (stopping) throw new Failure('stopped while starting');
      parts.set(part.name, part);
      part.whenLaunched(stack.save);
    },
    save() {
      const env = { ...stack.env };
      for (const name of Object.keys(env)) if (isSecret(name)) delete env[name];
      const there = stack.parts().map((part) => part.identity());
      folder.save({ urls: stack.urls, env, demo: stack.demo, parts: there.filter(Boolean) });
    },
    /** Applications first, then what they stand on. */
    stop() {
      stopping ??= (async () => {
        const end = (wanted) =>
          Promise.all(
            stack
              .parts()
              .filter(wanted)
              .map((part) => part.stop()),
          );
        await end(({ name }) => !stores.includes(name));
        await end(({ name }) => stores.includes(name));
        folder.release();
      })();
      return stopping;
    },
  };
  return stack;
}

async function environment(options, storeEnv) {
  const { dataDir, toolsDir, given, env } = options;
  const base = innerPortBase(dataDir);
  const port = options.port ?? (await nextFreePort(base + 4));
  const sandboxPort = options.sandboxPort ?? (await nextFreePort(base + 5));
  const smtpPort = await nextFreePort(base + 2);
  return {
    NODE_ENV: 'development',
    HOST: given.HOST || '127.0.0.1',
    PORT: String(port),
    WORKER_PORT: String(await nextFreePort(base + 3)),
    SANDBOX_PORT: String(sandboxPort),
    SMTP_PORT: String(smtpPort),
    ...storeEnv,
    SMTP_URL: given.SMTP_URL || `smtp://127.0.0.1:${smtpPort}`,
    SANDBOX_URL: `http://localhost:${sandboxPort}`,
    SANDBOX_GATEWAYS: gatewayKeys(dataDir).file,
    ...gatewayEnv(dataDir, `http://localhost:${sandboxPort}`),
    ...vendorEnv(given),
    PUBLIC_URL: given.PUBLIC_URL || `http://localhost:${port}`,
    DATA_DIR: dataDir,
    APP_SECRET: given.APP_SECRET || keptSecret(path.join(dataDir, 'secret')),
    APERTIUM_DIR: apertiumDir(toolsDir),
    MEDIA_DIR: mediaDir(toolsDir),
    NODE_COMPILE_CACHE: path.join(dataDir, 'compile-cache'),
    WEB_DIR: given.WEB_DIR || path.join(root, 'apps/console/dist'),
    ...env,
  };
}

/** Like Promise.all, but lets the others come to their end before it throws: what they started must be known to be stopped. */
export async function allOrFirstError(promises) {
  const results = await Promise.allSettled(promises);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
  return results.map(({ value }) => value);
}
