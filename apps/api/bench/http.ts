/** The metered translation over HTTP on one hot account: against pgbench, and against the same route without metering. */
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { translateText } from '@yiqiao/contracts/translation';
import autocannon from 'autocannon';
import { startServer, type Server } from './child.js';
import { HOT, type Ground } from './ground.js';
import { apiEnv, headersOf, signIn, type SignedIn } from './signed-in.js';

/** Answers of one round, per second. */
export type HttpRound = { metered: number; unmetered: number };

const CONNECTIONS = 128;
const ROUTE = `${BASE_PATH}${translateText.path}`;
const BODY = JSON.stringify({
  source: 'zh-Hans',
  target: 'en',
  text: '你好，这件衣服有货吗？我想要两件，蓝色和白色各一件。请问什么时候可以发货？谢谢！',
});

// Wide enough never to refuse, and counted all the same.
const LIMITS = { LIMIT_TRANSLATION_PER_SECOND: '1000000', LIMIT_TRANSLATION_IN_FLIGHT: '1000' };

export type HttpBench = { round: (seconds: number) => Promise<HttpRound>; close: () => Promise<void> };

/** Both apis, warm as `scale` allows, on the ground's database. REDIS_URL must be set. */
export async function httpBench(ground: Ground, scale: number): Promise<HttpBench> {
  const [member] = await signIn(ground.owner, [HOT]);
  if (!member) throw new Error('the hot member was not signed in');
  const start = (mode: 'metered' | 'unmetered'): Promise<Server> =>
    startServer('http-server', apiEnv(ground.url, LIMITS), [mode]);
  const apis = await Promise.all([start('metered'), start('unmetered')]);
  const [metered, unmetered] = apis;
  const rate = (api: Server, seconds: number): Promise<number> => drive(api, { member, seconds });
  for (const api of apis) await rate(api, 2 * scale);
  return {
    round: async (seconds) => ({ metered: await rate(metered, seconds), unmetered: await rate(unmetered, seconds) }),
    close: async () => {
      await Promise.all(apis.map((api) => api.stop()));
    },
  };
}

/** Answers per second; throws when one of them is not 200. */
async function drive({ url }: Server, { member, seconds }: { member: SignedIn; seconds: number }): Promise<number> {
  const result = await autocannon({
    url: `${url}${ROUTE}`,
    method: 'POST',
    connections: CONNECTIONS,
    duration: seconds,
    headers: { 'content-type': 'application/json', ...headersOf(member) },
    body: BODY,
  });
  const bad = result.non2xx + result.errors + result.timeouts;
  if (bad > 0)
    throw new Error(
      `${bad} of ${result.requests.total} requests to ${url} failed: ${JSON.stringify(result.statusCodeStats)}`,
    );
  return result.requests.total / result.duration;
}
