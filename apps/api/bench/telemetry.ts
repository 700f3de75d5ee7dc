/** What metrics and traces cost: the processor time of a metered translation without them, with figures that are read, and with both. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { translateText } from '@yiqiao/contracts/translation';
import autocannon from 'autocannon';
import { freePort, startServer, type Server } from './child.js';
import { ofProcess } from './cpu-time.js';
import { createFixture } from './fixture.js';
import { apiEnv, headersOf, signIn, type SignedIn } from './sign-in.js';
import { median, overRounds, targetLine, type Report, type Settings } from './targets.js';

const MODES = ['off', 'off again', 'metrics', 'metrics and traces'] as const;
type Mode = (typeof MODES)[number];
/** Processor time of the api per translation, in µs. */
type Round = Record<Mode, number>;

const SECONDS = 6;
const PER_SECOND = 250;
const CONNECTIONS = 16;
const SCRAPE_MS = 15_000;
const LIMITS = { LIMIT_TRANSLATION_PER_SECOND: '1000000', LIMIT_TRANSLATION_IN_FLIGHT: '1000' };
const BODY = JSON.stringify({
  source: 'zh-Hans',
  target: 'en',
  text: '你好，这件衣服有货吗？我想要两件，蓝色和白色各一件。',
});

type Measured = { mode: Mode; api: Server; member: SignedIn };

/**
 * All of them serve at the same time, at the same rate and each for an account of its own: what else happens on the machine happens to all.
 * `off again` shows what two equal processes differ by.
 */
export async function benchTelemetry({ server, rounds, scale, log }: Settings): Promise<Report> {
  const fixture = await createFixture(server);
  const collector = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const ports = [await freePort(), await freePort()];
  const settings: Record<Mode, Record<string, string>> = {
    off: {},
    'off again': {},
    metrics: { METRICS_PORT: String(ports[0]) },
    'metrics and traces': { METRICS_PORT: String(ports[1]), OTEL_EXPORTER_OTLP_ENDPOINT: endpoint },
  };
  const ids = MODES.map((_, at) => at + 1);
  const members = await signIn(fixture.owner, ids);
  const all: Measured[] = [];
  const scraping = setInterval(() => {
    for (const port of ports)
      void fetch(`http://127.0.0.1:${port}/metrics`).then(
        (answer) => answer.text(),
        () => '',
      );
  }, SCRAPE_MS);
  try {
    for (const [at, mode] of MODES.entries()) {
      const env = apiEnv(fixture.url, { ...LIMITS, ...settings[mode] });
      const member = members[at];
      if (member) all.push({ mode, member, api: await startServer('http-server', env, ['metered']) });
    }
    const round = async (seconds: number): Promise<Round> =>
      Object.fromEntries(
        await Promise.all(all.map(async (one) => [one.mode, await costOf(one, seconds)] as const)),
      ) as Round;
    await round(2 * SECONDS * scale);
    const figures: Round[] = [];
    for (let n = 1; n <= rounds; n++) {
      const found = await round(SECONDS * scale);
      figures.push(found);
      log(`  ${n}/${rounds}: ${MODES.map((mode) => `${mode} ${found[mode].toFixed(1)} µs`).join(' · ')}`);
    }
    return report(figures);
  } finally {
    clearInterval(scraping);
    await Promise.all(all.map(({ api }) => api.stop()));
    collector.close();
    await fixture.close();
  }
}

function report(figures: readonly Round[]): Report {
  const off = ({ off: one, 'off again': other }: Round): number => (one + other) / 2;
  const target = (mode: Mode, name: string) =>
    overRounds(
      figures.map((each) => each[mode] / off(each)),
      { name, kind: 'below', gate: 1.03, unit: '×' },
    );
  const targets = [
    target('metrics', 'processor time with metrics, of that without'),
    target('metrics and traces', 'with traces as well, 1 % kept'),
  ];
  const lines = MODES.map((mode) => `  ${mode.padEnd(20)} ${median(figures.map((each) => each[mode])).toFixed(1)} µs`);
  const noise = median(figures.map((each) => Math.abs(each['off again'] / each.off - 1)));
  const text = [
    '',
    'a metered translation, processor time of the api',
    ...lines,
    `  two equal processes differ by ${(noise * 100).toFixed(1)} %`,
    ...targets.map(targetLine),
  ].join('\n');
  return { text, json: figures, targets };
}

async function costOf({ api: { url, process }, member }: Measured, seconds: number): Promise<number> {
  const cpu = ofProcess(process.pid);
  const before = cpu();
  const result = await autocannon({
    url: `${url}${BASE_PATH}${translateText.path}`,
    method: 'POST',
    connections: CONNECTIONS,
    overallRate: PER_SECOND,
    duration: seconds,
    headers: { 'content-type': 'application/json', ...headersOf(member) },
    body: BODY,
  });
  if (result.non2xx + result.errors + result.timeouts > 0) throw new Error(`requests to ${url} failed`);
  return (cpu() - before) / Math.max(1, result.requests.total);
}
