// The two stores: ours, unless DATABASE_URL or REDIS_URL names another.
import { Failure } from './failure.mjs';
import { createPostgres } from './postgres.mjs';
import { somebodyListens } from './ports.mjs';
import { createRedis } from './redis.mjs';

const stores = [
  { variable: 'DATABASE_URL', step: 'database', usualPort: 5432, create: createPostgres },
  { variable: 'REDIS_URL', step: 'redis', usualPort: 6379, create: createRedis },
];

/**
 * Brings both stores up side by side. Every part is handed to `adopt` before it starts, so that whoever called can
 * stop it whatever happens next.
 * @param {object} options
 * @param {object} [options.given]     where DATABASE_URL and REDIS_URL may come from (default: the environment)
 * @param {boolean} [options.durable]  false: PostgreSQL without fsync, for tests alone
 * @param {boolean} [options.fresh]    true: forget what the folder's own stores hold
 * @returns {Promise<{DATABASE_URL: string, REDIS_URL: string}>}
 */
export async function startServices({
  folder,
  toolsDir,
  steps,
  adopt,
  given = process.env,
  durable = true,
  fresh = false,
}) {
  const env = {};
  const start = async ({ variable, step, usualPort, create }) => {
    await steps.run(step, async () => {
      if (given[variable]) {
        env[variable] = await reachable(variable, given[variable], usualPort);
        return variable;
      }
      const { part, url, note } = await create({ folder, toolsDir, durable, fresh });
      adopt(part);
      await part.start();
      env[variable] = url;
      return note;
    });
  };
  await Promise.all(stores.map(start));
  return env;
}

async function reachable(variable, address, usualPort) {
  let url;
  try {
    url = new URL(address);
  } catch {
    throw new Failure(`${variable} is not a URL`, { ways: [`unset ${variable} to use an embedded one`] });
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (await somebodyListens({ host, port: Number(url.port || usualPort) })) return address;
  throw new Failure(`${variable} names ${url.host}, and nobody answers there`, {
    ways: ['start that server', `or unset ${variable} to use an embedded one`],
  });
}
