/**
 * Translations through a vendor that takes 100 ms, at 4.5 times the capacity (open loop, Poisson), from many accounts: latency of served
 * requests, goodput, latency of refusals, latency of /user/get, and memory.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { CHANNELS } from '@yiqiao/domain/channels';
import { ask, startChild, startServer, type Child } from './child.js';
import { createFixture } from './fixture.js';
import { residentMemory } from './memory.js';
import type { OverloadFound, OverloadLoad, OverloadStream } from './overload-load.js';
import { apiEnv, headersOf, signIn } from './sign-in.js';
import { overRounds, some, targetLine, type Report, type Settings, type Target } from './targets.js';

const MEMBERS = 200;
const READERS = 10;
const READS_PER_SECOND = 20;
const TIMES = 4.5;
/** Enough to saturate a vendor that takes 100 ms, with no refusals. */
const AT_ONCE = 128;
const SECONDS = { warm: 10, capacity: 6, overload: 15 };
const REST_MS = 5_000;
const MB = 1_000_000;

type OverloadRound = {
  capacity: number;
  offered: number;
  servedMedian: number;
  servedP99: number;
  goodput: number;
  refusedP99: number;
  readsP99: number;
  /** Lateness of the load generator: above a few ms it lacked processor time and the figures are unreliable. */
  lateP99: number;
  memory: { start: number; peak: number; end: number };
  other: Record<string, number>;
};

export async function benchOverload({ server, rounds, scale, log }: Settings): Promise<Report> {
  const fixture = await createFixture(server);
  const running: Child[] = [];
  const folder = await mkdtemp(path.join(os.tmpdir(), 'overload-bench-'));
  try {
    const members = await signIn(
      fixture.owner,
      Array.from({ length: MEMBERS + READERS }, (_, i) => i + 1),
    );
    // No limits per account; admission control keeps its defaults.
    const limits = { LIMIT_TRANSLATION_PER_SECOND: '1000000', LIMIT_TRANSLATION_IN_FLIGHT: '1000' };
    const vendor = await startServer('vendors-stub', {}, ['vendor']);
    running.push(vendor);
    const file = path.join(folder, 'upstreams.json');
    // Two, so that the API and not a vendor's 100 slots limits the capacity.
    const accounts = ['a', 'b'].map((name) => ({ code: 'google', name, key: 'bench', baseUrl: vendor.url }));
    await writeFile(file, JSON.stringify(accounts));
    const env = apiEnv(fixture.url, { ...limits, LIMIT_LATENCY_MS: '', TRANSLATION_UPSTREAMS_FILE: file });
    const api = await startServer('http-server', env, ['vendors']);
    await fixture.owner.query('UPDATE member_account SET tran_channel_id = $1', [CHANNELS.google.id]);
    const load = startChild('overload-load');
    running.push(api, load);
    const send = (seconds: number, ...streams: OverloadStream[]): Promise<OverloadFound[]> =>
      ask(load, { streams, seconds } satisfies OverloadLoad);
    // Signed for each run, because a signature expires after five minutes.
    const texts = (pace: OverloadStream['pace']): OverloadStream => ({
      url: api.url + BASE_PATH + translateText.path,
      method: 'POST',
      headers: members.slice(READERS).map(headersOf),
      body: JSON.stringify({
        source: 'zh-Hans',
        target: 'en',
        text: '第NTH件衣服还有货吗？我想要两件，蓝色和白色各一件。',
      }),
      pace,
    });
    const reads = (): OverloadStream => ({
      url: api.url + BASE_PATH + getUser.path,
      method: 'GET',
      headers: members.slice(0, READERS).map(headersOf),
      body: null,
      pace: { perSecond: READS_PER_SECOND },
    });
    const atOnce = { flight: some(AT_ONCE, scale) };
    const memory = (): number => residentMemory(api.process.pid) / MB;
    await send(SECONDS.warm * scale, texts(atOnce), reads());

    const found: OverloadRound[] = [];
    for (let round = 1; round <= rounds; round++) {
      // Lets admission control recover from the last overload.
      await setTimeout(REST_MS * scale);
      const [closed] = await send(SECONDS.capacity * scale, texts(atOnce), reads());
      const capacity = servedOf(closed) / (SECONDS.capacity * scale);
      const start = memory();
      let peak = start;
      const watch = setInterval(() => (peak = Math.max(peak, memory())), 100);
      const seconds = SECONDS.overload * scale;
      const [flood, beside] = await send(seconds, texts({ perSecond: TIMES * capacity }), reads());
      clearInterval(watch);
      if (!flood || !beside) throw new Error('the load found nothing');
      const all = flood.served.length + flood.refused.length;
      const one = {
        capacity,
        offered: all / seconds / capacity,
        servedMedian: at(flood.served, 0.5),
        servedP99: at(flood.served, 0.99),
        goodput: flood.served.length / seconds / capacity,
        refusedP99: at(flood.refused, 0.99),
        readsP99: at(beside.served, 0.99),
        lateP99: at(flood.late, 0.99),
        memory: { start, peak, end: memory() },
        other: { ...flood.other, ...(beside.refused.length > 0 ? { 'reads refused': beside.refused.length } : {}) },
      };
      found.push(one);
      log(line(one, round));
    }
    return report(found);
  } finally {
    await Promise.all(running.map((child) => child.stop()));
    await fixture.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Throws if more than one request in a hundred was refused: then this was not the capacity. */
function servedOf(found: OverloadFound | undefined): number {
  const { served = [], refused = [], other = {} } = found ?? {};
  if (served.length === 0 || refused.length > served.length / 100 || Object.keys(other).length > 0)
    throw new Error(`capacity: ${served.length} served, ${refused.length} refused, ${JSON.stringify(other)}`);
  return served.length;
}

const at = (ms: readonly number[], share: number): number => ms[Math.floor(ms.length * share)] ?? Number.NaN;

const line = (one: OverloadRound, round: number): string =>
  [
    `round ${round}: capacity ${one.capacity.toFixed(0)}/s, offered ${one.offered.toFixed(1)}×`,
    `served p50 ${one.servedMedian.toFixed(0)} ms, p99 ${one.servedP99.toFixed(0)} ms`,
    `goodput ${one.goodput.toFixed(2)}×`,
    `refused p99 ${one.refusedP99.toFixed(1)} ms`,
    `/user/get p99 ${one.readsP99.toFixed(0)} ms`,
    `the load itself late by p99 ${one.lateP99.toFixed(0)} ms`,
    `memory ${one.memory.start.toFixed(0)} → ${one.memory.peak.toFixed(0)} → ${one.memory.end.toFixed(0)} MB`,
    ...(Object.keys(one.other).length > 0 ? [`other answers ${JSON.stringify(one.other)}`] : []),
  ].join(' · ');

function report(found: readonly OverloadRound[]): Report {
  const over = (pick: (round: OverloadRound) => number, target: Omit<Target, 'found' | 'rounds'>): Target =>
    overRounds(found.map(pick), target);
  const targets = [
    over((one) => one.servedP99, { name: 'overload: served, p99', kind: 'at most', gate: 800, unit: ' ms' }),
    over((one) => one.goodput, { name: 'overload: goodput ÷ capacity', kind: 'at least', gate: 0.9, unit: '×' }),
    over((one) => one.refusedP99, { name: 'overload: refused, p99', kind: 'at most', gate: 50, unit: ' ms' }),
    over((one) => one.readsP99, {
      name: 'overload: /user/get beside it, p99',
      kind: 'at most',
      gate: 300,
      unit: ' ms',
    }),
    over(({ memory }) => memory.peak / memory.start, {
      name: 'overload: resident memory, peak ÷ start',
      kind: 'at most',
      gate: 1.5,
      unit: '×',
    }),
  ];
  const text = [
    `translations of ${MEMBERS} accounts at ${TIMES} times what can be served`,
    ...targets.map(targetLine),
  ].join('\n');
  return { text, json: found, targets };
}
