/** The metered translation over HTTP on one hot account: against pgbench, and against the same route without metering. */
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { translateText } from '@yiqiao/contracts/translation';
import autocannon from 'autocannon';
import { startServer, type Server } from './child.js';
import { createFixture, HOT, type Fixture } from './fixture.js';
import { baselineOf, pgbenchOf } from './pgbench.js';
import { apiEnv, headersOf, signIn, type SignedIn } from './sign-in.js';
import { median, overRounds, rate, ratios, targetLine, type Report, type Settings } from './targets.js';

/** Responses of one round, per second. */
type HttpRound = { metered: number; unmetered: number };

const CONNECTIONS = 128;
const ROUTE = `${BASE_PATH}${translateText.path}`;
const BODY = JSON.stringify({
  source: 'zh-Hans',
  target: 'en',
  text: '你好，这件衣服有货吗？我想要两件，蓝色和白色各一件。请问什么时候可以发货？谢谢！',
});

// High enough never to refuse, so that only the cost of counting remains.
const LIMITS = { LIMIT_TRANSLATION_PER_SECOND: '1000000', LIMIT_TRANSLATION_IN_FLIGHT: '1000' };

type HttpBench = { round: (seconds: number) => Promise<HttpRound>; close: () => Promise<void> };

/** Starts both APIs on the fixture's database and warms them up. REDIS_URL must be set. */
async function startBoth(fixture: Fixture, scale: number): Promise<HttpBench> {
  const [member] = await signIn(fixture.owner, [HOT]);
  if (!member) throw new Error('the hot member was not signed in');
  const start = (mode: 'metered' | 'unmetered'): Promise<Server> =>
    startServer('http-server', apiEnv(fixture.url, LIMITS), [mode]);
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

/** Responses per second; throws if any is not 200. */
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

/** Per second. `pgbench`: charges of the best single-transaction form. */
type MeteredRound = HttpRound & { pgbench: number | null };

const PGBENCH_SECONDS = 2;
const HTTP_SECONDS = 4;

export async function benchHttp(settings: Settings): Promise<Report> {
  const { server, rounds, scale, log } = settings;
  const fixture = await createFixture(server);
  const runner = await pgbenchOf(fixture.url);
  try {
    const baseline = await baselineOf(runner, 'hot', settings);
    const http = await startBoth(fixture, scale);
    const figures: MeteredRound[] = [];
    try {
      for (let round = 1; round <= rounds; round++) {
        const found = {
          pgbench: await baseline.best(PGBENCH_SECONDS * scale),
          ...(await http.round(HTTP_SECONDS * scale)),
        };
        figures.push(found);
        const { pgbench, metered, unmetered } = found;
        log(
          `round ${round}: pgbench ${Math.round(pgbench ?? 0)} charges/s · metered ${Math.round(metered)} · unmetered ${Math.round(unmetered)} translations/s`,
        );
      }
    } finally {
      await http.close();
    }
    return reportMetered(figures);
  } finally {
    await runner?.close();
    await fixture.close();
  }
}

function reportMetered(rounds: MeteredRound[]): Report {
  const toPgbench = overRounds(
    ratios(
      rounds,
      (r) => r.metered,
      (r) => r.pgbench,
    ),
    { name: 'metered HTTP ÷ pgbench, hot', kind: 'at least', gate: 2, aim: 4, unit: '×' },
  );
  const toUnmetered = overRounds(
    ratios(
      rounds,
      (r) => r.metered,
      (r) => r.unmetered,
    ),
    { name: 'metered HTTP ÷ the same route unmetered', kind: 'at least', gate: 0.25, aim: 0.4, unit: '×' },
  );
  const text = [
    '',
    'metered translation over HTTP, one hot account, an instant engine',
    `  pgbench, best single-transaction form, charges/s       ${rate(median(rounds.flatMap((r) => r.pgbench ?? [])))}`,
    `  metered, translations/s (hold + settle)                ${rate(median(rounds.map((r) => r.metered)))}`,
    `  unmetered, translations/s                              ${rate(median(rounds.map((r) => r.unmetered)))}`,
    targetLine(toPgbench),
    targetLine(toUnmetered),
  ].join('\n');
  const json = { rounds, pgbenchRatio: toPgbench.found, unmeteredRatio: toUnmetered.found };
  return { text, json, targets: [toPgbench, toUnmetered] };
}
