/**
 * The latency that the service adds to a vendor, compared with a bare proxy and a third-party gateway; the processor time of a translation;
 * and the effect of a vendor that never responds on the other vendors.
 */
import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { translateText } from '@yiqiao/contracts/translation';
import { CHANNELS, type ChannelCode } from '@yiqiao/domain/channels';
import { Redis } from 'ioredis';
import { ask, startChild, startServer, type Child, type Server } from './child.js';
import { createFixture } from './fixture.js';
import { ofPostgres, ofProcess, ofRedis, shownUse, used, usedSince, type CpuTimers, type Used } from './cpu-time.js';
import { apiEnv, headersOf, signIn, type SignedIn } from './sign-in.js';
import type { Found, Load, Stream } from './vendors-load.js';
import { startGateway, throughGateway, type Gateway } from './vendors-gateway.js';
import {
  PACES,
  reportVendors,
  type AddedRound,
  type DeadRound,
  type FullRound,
  type PacedRound,
  type Times,
} from './vendors-report.js';
import { median, type Report, type Settings } from './targets.js';

/** Enough members that each stays within its limits, which remain on. */
const MEMBERS = 50;
/** Members for the channels beside the measured one. */
const BESIDE = 10;
/** More than it can serve within a vendor's 100 ms. */
const FULL = 256;
const WARM_FLIGHT = 100;
const DEAD_FLIGHT = 50;
const BESIDE_PER_SECOND = 40;

const TEXT = '你好，第NTH号的这件衣服还有货吗？我想要两件，蓝色和白色各一件，一共¥99.90，请问什么时候可以发货？谢谢！';

const ADDED_SECONDS = 5;
/** Long enough for requests to the dead vendor to pile up, time out and open its breaker. */
const DEAD_SECONDS = 20;
const LIVE_SECONDS = 6;

/** Another one in each round, because a breaker that is already open would prove little. */
const DEAD = ['deepl', 'chatgpt', 'youdao'] as const satisfies ChannelCode[];

const UPSTREAMS = [
  { code: 'google', name: 'a', key: 'bench', path: '' },
  { code: 'google', name: 'b', key: 'bench', path: '' },
  { code: 'microsoft', name: 'a', key: 'bench', path: '' },
  { code: 'deepl', name: 'a', key: 'bench', path: '/dead' },
  { code: 'chatgpt', name: 'a', key: 'bench', model: 'bench', path: '/dead/v1' },
  { code: 'youdao', name: 'a', key: 'bench', secret: 'bench', path: '/dead' },
];

export async function benchVendors({ server, rounds, scale, log }: Settings): Promise<Report> {
  const fixture = await createFixture(server);
  const running: Child[] = [];
  const redis = new Redis(process.env['REDIS_URL'] ?? '');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vendors-bench-'));
  const start = async (program: string, env: NodeJS.ProcessEnv, args: string[]): Promise<Server> => {
    const started = await startServer(program, env, args);
    running.push(started);
    return started;
  };
  try {
    const vendor = await start('vendors-stub', {}, ['vendor']);
    const proxy = await start('vendors-stub', {}, ['proxy', vendor.url]);
    const file = path.join(folder, 'upstreams.json');
    const rows = UPSTREAMS.map(({ path: below, ...row }) => ({ ...row, baseUrl: vendor.url + below }));
    await writeFile(file, JSON.stringify(rows));
    const api = await start('http-server', apiEnv(fixture.url, { TRANSLATION_UPSTREAMS_FILE: file }), ['vendors']);
    const members = await signIn(
      fixture.owner,
      Array.from({ length: MEMBERS + BESIDE }, (_, i) => i + 1),
    );
    await fixture.owner.query('UPDATE member_account SET tran_channel_id = $1 WHERE user_id <= $2', [
      CHANNELS.google.id,
      members.length,
    ]);
    const loader = startChild('vendors-load');
    running.push(loader);
    const gateway = await startGateway();
    if (gateway) running.push(gateway);
    else log('!! @portkey-ai/gateway was not found (GATEWAY_PROGRAM): what compares with it is SKIPPED.');

    await fixture.owner.query('CREATE TABLE bench_flush AS SELECT 0 AS n');
    const commit = async (): Promise<number> => {
      const began = performance.now();
      await fixture.owner.query('UPDATE bench_flush SET n = n + 1');
      return performance.now() - began;
    };
    const processor: CpuTimers = {
      api: ofProcess(api.process.pid),
      PostgreSQL: await ofPostgres(fixture.owner),
      Redis: ofRedis(redis),
      'the vendor': ofProcess(vendor.process.pid),
      'the load': ofProcess(loader.process.pid),
    };
    const bench: Bench = {
      commit,
      processor,
      members,
      api: api.url + BASE_PATH + translateText.path,
      proxy: proxy.url,
      vendor: vendor.url,
      gateway,
      gatewayUse: ofProcess(gateway?.process.pid),
      run: runOf(loader, scale),
    };
    await warm(bench);
    const added: AddedRound[] = [];
    for (let round = 1; round <= rounds; round++) added.push(await addedRound(bench, round, log));
    const dead: DeadRound[] = [];
    for (const code of DEAD.slice(0, rounds)) dead.push(await deadRound(bench, code, log));
    return reportVendors({ added, dead });
  } finally {
    await Promise.all(running.map((child) => child.stop()));
    await fixture.close();
    redis.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

type Bench = {
  /** One durable update by a single caller, in ms: the current speed of disk and machine. */
  commit: () => Promise<number>;
  /** Of all processes involved in a translation. */
  processor: CpuTimers;
  members: readonly SignedIn[];
  api: string;
  proxy: string;
  vendor: string;
  gateway: Gateway | null;
  gatewayUse: () => number;
  run: (load: Load) => Promise<Found[]>;
};

/** `scale`: the share of its duration that a load runs. */
const runOf =
  (child: Child, scale: number) =>
  ({ streams, seconds }: Load): Promise<Found[]> =>
    ask(child, { streams, seconds: seconds * scale } satisfies Load);

type Pace = Stream['pace'];

const throughService = ({ api, members }: Bench, pace: Pace): Stream => ({
  name: 'service',
  url: api,
  headers: members.slice(0, MEMBERS).map(headersOf),
  body: JSON.stringify({ source: 'zh-Hans', target: 'en', text: TEXT }),
  pace,
});

/** The request that the service sends to the vendor. */
const throughProxy = ({ proxy }: Bench, pace: Pace): Stream => ({
  name: 'proxy',
  url: `${proxy}/language/translate/v2`,
  headers: [{}],
  body: JSON.stringify({ q: [TEXT], target: 'en', source: 'zh-CN', format: 'text' }),
  pace,
});

/** The streams to compare, at the same pace; without the gateway if it is not installed. */
function contenders(bench: Bench, pace: Pace): Stream[] {
  const { gateway, vendor } = bench;
  const other = gateway ? [{ ...throughGateway(gateway, vendor, TEXT), pace }] : [];
  return [throughProxy(bench, pace), throughService(bench, pace), ...other];
}

const beside = ({ api, members }: Bench, code: ChannelCode): Stream => ({
  name: code,
  url: api,
  headers: members.slice(MEMBERS).map(headersOf),
  body: JSON.stringify({ source: 'zh-Hans', target: 'en', text: TEXT, channelId: CHANNELS[code].id }),
  pace: { perSecond: BESIDE_PER_SECOND, abandoned: true },
});

/** Warms up each process: after 5,000 translations a tenth of the API's processor time is still spent compiling. */
async function warm(bench: Bench): Promise<void> {
  const [proxy, service, gateway] = contenders(bench, { flight: WARM_FLIGHT });
  for (const stream of [proxy, gateway]) if (stream) await bench.run({ streams: [stream], seconds: 5 });
  if (service) await bench.run({ streams: [service, beside(bench, 'microsoft')], seconds: 25 });
}

async function addedRound(bench: Bench, round: number, log: Settings['log']): Promise<AddedRound> {
  const paced: Record<number, PacedRound> = {};
  for (const pace of PACES) {
    const found = await pacedRound(bench, pace, round);
    paced[pace] = found;
    const { proxy, service, gateway, cost } = found;
    const other = gateway ? ` · gateway ${shown(gateway)}` : '';
    log(`round ${round}, ${pace}/s: proxy ${shown(proxy)} · service ${shown(service)}${other}`);
    log(`  processor time of a translation, ms: ${shownUse(cost)}`);
  }
  const full = await fullRound(bench);
  const commits: number[] = [];
  for (let i = 0; i < 25; i++) commits.push(await bench.commit());
  const commit = median(commits);
  log(
    `round ${round}, ${FULL} in flight: ${full.service.perSecond}/s · ${shown(full.service)} · ${full.refused} refused · a commit takes ${commit.toFixed(1)} ms`,
  );
  log(`  processor time of a translation, ms: ${shownUse(full.cost)}`);
  return { paced, full, commit };
}

/** Runs the streams in turn, starting with another one each round. */
async function pacedRound(bench: Bench, perSecond: number, round: number): Promise<PacedRound> {
  const found = new Map<string, Found>();
  let cost: Used = {};
  let gatewayCost = Number.NaN;
  const streams = contenders(bench, { perSecond });
  const first = round % streams.length;
  for (const stream of [...streams.slice(first), ...streams.slice(0, first)]) {
    const before = await used(bench.processor);
    const began = bench.gatewayUse();
    const one = await measured(bench, stream);
    found.set(stream.name, one);
    if (stream.name === 'service') cost = await usedSince(bench.processor, before, one.ms.length);
    if (stream.name === 'gateway') gatewayCost = (bench.gatewayUse() - began) / one.ms.length;
  }
  const gateway = found.get('gateway');
  return {
    proxy: timesOf(found.get('proxy')),
    service: timesOf(found.get('service')),
    gateway: gateway ? timesOf(gateway) : null,
    cost,
    gatewayCost,
  };
}

/** More requests at once than it can serve in time: some may be refused, and their callers wait before retrying. */
async function fullRound(bench: Bench): Promise<FullRound> {
  const before = await used(bench.processor);
  const found = await measured(bench, throughService(bench, { flight: FULL }));
  const cost = await usedSince(bench.processor, before, found.ms.length);
  const { 429: late = 0, 503: busy = 0, ...statuses } = found.statuses;
  return { service: timesOf({ ...found, statuses }), refused: late + busy, cost };
}

const measured = async (bench: Bench, stream: Stream): Promise<Found> => {
  const [found] = await bench.run({ streams: [stream], seconds: ADDED_SECONDS });
  if (!found) throw new Error('the load found nothing');
  return found;
};

async function deadRound(bench: Bench, code: ChannelCode, log: Settings['log']): Promise<DeadRound> {
  const google = throughService(bench, { flight: DEAD_FLIGHT });
  const [live] = await bench.run({ streams: [google, beside(bench, 'microsoft')], seconds: LIVE_SECONDS });
  const [dying, dead] = await bench.run({ streams: [google, beside(bench, code)], seconds: DEAD_SECONDS });
  const found = { code, live: timesOf(live), dead: timesOf(dying) };
  log(
    `${code} dead: others ${shown(found.dead)}, before ${shown(found.live)} · its own answers ${JSON.stringify(dead?.statuses)}`,
  );
  return found;
}

const shown = ({ median, p95, p99 }: Times): string =>
  `${[median, p95, p99].map((ms) => ms.toFixed(1)).join(' / ')} ms`;

/** Throws unless every response is 200. */
function timesOf(found: Found | undefined): Times {
  const { ms, statuses, name, seconds } = found ?? { ms: [], statuses: {}, name: 'nothing', seconds: 1 };
  const bad = Object.keys(statuses).filter((status) => status !== '200');
  if (ms.length === 0 || bad.length > 0) throw new Error(`${name}: answers by status ${JSON.stringify(statuses)}`);
  const at = (share: number): number => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95), p99: at(0.99), perSecond: Math.round(ms.length / seconds) };
}
