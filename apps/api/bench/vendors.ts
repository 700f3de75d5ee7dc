/** What the service adds to a vendor's answer, against a bare proxy; and what a vendor that never answers does to the others. */
import { rm, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { translateText } from '@yiqiao/contracts/translation';
import { CHANNELS, type ChannelCode } from '@yiqiao/domain/channels';
import { Redis } from 'ioredis';
import { startChild, startServer, type Child, type Server } from './child.js';
import { prepareGround } from './ground.js';
import { ofPostgres, ofProcess, ofRedis, shownUse, used, usedSince, type Processor, type Used } from './processor.js';
import { apiEnv, headersOf, signIn, type SignedIn } from './signed-in.js';
import type { Found, Load, Stream } from './vendors-load.js';
import { reportVendors, type AddedRound, type DeadRound, type Times } from './vendors-report.js';
import { median, type Findings, type Setting } from './verdicts.js';

/** Few enough that each keeps well within the limits of a member, which stay on. */
const MEMBERS = 50;
/** Members of those channels that are only asked beside the one that is measured. */
const BESIDE = 10;
const IN_FLIGHT = 100;
const BESIDE_PER_SECOND = 40;

const TEXT = '你好，第NTH号的这件衣服还有货吗？我想要两件，蓝色和白色各一件，一共¥99.90，请问什么时候可以发货？谢谢！';

const ADDED_SECONDS = 4;
/** Long enough for what the dead vendor was asked to pile up, run out of time and open its breaker. */
const DEAD_SECONDS = 20;
const LIVE_SECONDS = 6;

/** Each round kills another one: a breaker that is open already would prove little. */
const DEAD = ['deepl', 'chatgpt', 'youdao'] as const satisfies ChannelCode[];

const UPSTREAMS = [
  { code: 'google', name: 'a', key: 'bench', path: '' },
  { code: 'google', name: 'b', key: 'bench', path: '' },
  { code: 'microsoft', name: 'a', key: 'bench', path: '' },
  { code: 'deepl', name: 'a', key: 'bench', path: '/dead' },
  { code: 'chatgpt', name: 'a', key: 'bench', model: 'bench', path: '/dead/v1' },
  { code: 'youdao', name: 'a', key: 'bench', secret: 'bench', path: '/dead' },
];

export async function benchVendors({ server, rounds, say }: Setting): Promise<Findings> {
  const ground = await prepareGround(server);
  const running: Child[] = [];
  const redis = new Redis(process.env['REDIS_URL'] ?? '');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'vendors-bench-'));
  const start = async (program: string, env: NodeJS.ProcessEnv, args: string[]): Promise<Server> => {
    const started = await startServer(program, env, args);
    running.push(started);
    return started;
  };
  try {
    const vendor = await start('vendors-wire', {}, ['vendor']);
    const proxy = await start('vendors-wire', {}, ['proxy', vendor.url]);
    const file = path.join(folder, 'upstreams.json');
    const rows = UPSTREAMS.map(({ path: below, ...row }) => ({ ...row, baseUrl: vendor.url + below }));
    await writeFile(file, JSON.stringify(rows));
    const api = await start('http-server', apiEnv(ground.url, { TRANSLATION_UPSTREAMS_FILE: file }), ['vendors']);
    const members = await signIn(
      ground.owner,
      Array.from({ length: MEMBERS + BESIDE }, (_, i) => i + 1),
    );
    await ground.owner.query('UPDATE member_account SET tran_channel_id = $1 WHERE user_id <= $2', [
      CHANNELS.google.id,
      members.length,
    ]);
    const loader = startChild('vendors-load');
    running.push(loader);

    await ground.owner.query('CREATE TABLE bench_flush AS SELECT 0 AS n');
    const commit = async (): Promise<number> => {
      const began = performance.now();
      await ground.owner.query('UPDATE bench_flush SET n = n + 1');
      return performance.now() - began;
    };
    const processor: Processor = {
      api: ofProcess(api.process.pid),
      PostgreSQL: await ofPostgres(ground.owner),
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
      run: runOf(loader),
    };
    await warm(bench);
    const added: AddedRound[] = [];
    for (let round = 1; round <= rounds; round++) added.push(await addedRound(bench, round, say));
    const dead: DeadRound[] = [];
    for (const code of DEAD.slice(0, rounds)) dead.push(await deadRound(bench, code, say));
    return reportVendors({ added, dead });
  } finally {
    await Promise.all(running.map((child) => child.stop()));
    await ground.close();
    redis.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

type Bench = {
  /** One durable change of one row by a single caller, in ms: what the disk and the machine make of it just now. */
  commit: () => Promise<number>;
  /** Of all who have a part in a translation. */
  processor: Processor;
  members: readonly SignedIn[];
  api: string;
  proxy: string;
  run: (load: Load) => Promise<Found[]>;
};

const runOf =
  ({ process }: Child) =>
  (load: Load): Promise<Found[]> =>
    new Promise((resolve, reject) => {
      const ended = (): void => reject(new Error('the load ended before it answered'));
      process.once('exit', ended);
      process.once('message', (found: Found[]) => {
        process.removeListener('exit', ended);
        resolve(found);
      });
      process.send(load);
    });

const throughService = ({ api, members }: Bench, flight: number): Stream => ({
  name: 'service',
  url: api,
  headers: members.slice(0, MEMBERS).map(headersOf),
  body: JSON.stringify({ source: 'zh-Hans', target: 'en', text: TEXT }),
  pace: { flight },
});

/** What the service asks of the vendor, sent by hand. */
const throughProxy = ({ proxy }: Bench): Stream => ({
  name: 'proxy',
  url: `${proxy}/language/translate/v2`,
  headers: [{}],
  body: JSON.stringify({ q: [TEXT], target: 'en', source: 'zh-CN', format: 'text' }),
  pace: { flight: IN_FLIGHT },
});

const beside = ({ api, members }: Bench, code: ChannelCode): Stream => ({
  name: code,
  url: api,
  headers: members.slice(MEMBERS).map(headersOf),
  body: JSON.stringify({ source: 'zh-Hans', target: 'en', text: TEXT, channelId: CHANNELS[code].id }),
  pace: { perSecond: BESIDE_PER_SECOND },
});

/**
 * Both are compiled by their own traffic before anything counts: after 5,000 translations a tenth of the api's processor time is still the
 * compiler's.
 */
async function warm(bench: Bench): Promise<void> {
  await bench.run({ streams: [throughProxy(bench)], seconds: 4 });
  await bench.run({ streams: [throughService(bench, IN_FLIGHT), beside(bench, 'microsoft')], seconds: 25 });
}

/** The two in turns, each round the other one first. */
async function addedRound(bench: Bench, round: number, say: Setting['say']): Promise<AddedRound> {
  const ask = async (stream: Stream): Promise<Found> =>
    first(await bench.run({ streams: [stream], seconds: ADDED_SECONDS }));
  const streams = [throughProxy(bench), throughService(bench, IN_FLIGHT)];
  const found = new Map<string, Found>();
  let cost: Used = {};
  for (const stream of round % 2 === 0 ? streams.toReversed() : streams) {
    const before = await used(bench.processor);
    const one = await ask(stream);
    found.set(stream.name, one);
    if (stream.name === 'service') cost = await usedSince(bench.processor, before, one.ms.length);
  }
  const [proxy, service] = [timesOf(found.get('proxy')), timesOf(found.get('service'))];
  const commits: number[] = [];
  for (let i = 0; i < 25; i++) commits.push(await bench.commit());
  const commit = median(commits);
  say(
    `round ${round}: proxy ${shown(proxy)} · service ${shown(service)} · ${service.perSecond} translations/s of ${proxy.perSecond} · a commit takes ${commit.toFixed(1)} ms`,
  );
  say(`  processor time of a translation, ms: ${shownUse(cost)}`);
  return { proxy, service, commit, cost };
}

async function deadRound(bench: Bench, code: ChannelCode, say: Setting['say']): Promise<DeadRound> {
  const google = throughService(bench, IN_FLIGHT / 2);
  const [live] = await bench.run({ streams: [google, beside(bench, 'microsoft')], seconds: LIVE_SECONDS });
  const [dying, dead] = await bench.run({ streams: [google, beside(bench, code)], seconds: DEAD_SECONDS });
  const found = { code, live: timesOf(live), dead: timesOf(dying) };
  say(
    `${code} dead: others ${shown(found.dead)}, before ${shown(found.live)} · its own answers ${JSON.stringify(dead?.statuses)}`,
  );
  return found;
}

const shown = ({ median, p95 }: Times): string => `${median.toFixed(1)} / ${p95.toFixed(1)} ms`;

/** Any answer but 200 ends the bench: what failed was not measured. */
function timesOf(found: Found | undefined): Times {
  const { ms, statuses, name, seconds } = found ?? { ms: [], statuses: {}, name: 'nothing', seconds: 1 };
  const bad = Object.keys(statuses).filter((status) => status !== '200');
  if (ms.length === 0 || bad.length > 0) throw new Error(`${name}: answers by status ${JSON.stringify(statuses)}`);
  const at = (share: number): number => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95), perSecond: Math.round(ms.length / seconds) };
}

const first = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('the load found nothing');
  return one;
};
