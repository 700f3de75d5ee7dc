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
 * @returns {Promise<{DATABASE_URL: string, REDIS_URL: string}>}
 */
export async function startServices({ folder, toolsDir, steps, adopt, durable = true }) {
  const env = {};
  const start = async ({ variable, step, usualPort, create }) => {
    await steps.run(step, async () => {
      const given = process.env[variable];
      if (given) {
        env[variable] = await reachable(variable, given, usualPort);
        return variable;
      }
      const { part, url, note } = await create({ folder, toolsDir, durable });
      adopt(part);
      await part.start();
      env[variable] = url;
      return note;
    });
  };
  await Promise.all(stores.map(start));
  return env;
}

async function reachable(variable, given, usualPort) {
  let url;
  try {
    url = new URL(given);
  } catch {
    throw new Failure(`${variable} is not a URL`, { ways: [`unset ${variable} to use an embedded one`] });
  }
  const address = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || usualPort) };
  if (await somebodyListens(address)) return given;
  throw new Failure(`${variable} names ${url.host}, and nobody answers there`, {
    ways: ['start that server', `or unset ${variable} to use an embedded one`],
  });
}
