/** Ten thousand idle notice streams on one process: delivery time of a notice, memory per stream, and what remains after they close. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { listNotices } from '@yiqiao/contracts/notices';
import { Redis } from 'ioredis';
import { entities } from '../src/entities.js';
import { NoticeAdmin } from '../src/notices/notice-admin.js';
import { findManager, type AuthorOf } from '../src/platform/manager-actions.js';
import { Outbox } from '../src/platform/outbox.js';
import { ask, startChild, startServer, type Child, type Server } from './child.js';
import { ACCOUNTS, createFixture } from './fixture.js';
import { residentMemory } from './memory.js';
import { ofProcess } from './cpu-time.js';
import { apiEnv, headersOf, signIn, type SignedIn } from './sign-in.js';
import type { Task, Milestones } from './streams-load.js';
import type { HeldResources } from './streams-server.js';
import { some, type Report, type Settings, median, overRounds, targetLine, type Target } from './targets.js';

const CROWDS = { many: 10_000, few: 1_000, notices: 10 };
/** Between two notices, so that they are not sent together. */
const PAUSE_MS = 200;
/** Until a closed connection's last objects are let go. */
const SETTLE_MS = 3_000;
/** Interval of the other requests. */
const EVERY_MS = 20;

/** All streams come from one address at once. */
const WIDE = {
  LIMIT_STREAMS: '20000',
  LIMIT_STREAMS_PER_IP: '20000',
  LIMIT_STREAM_OPENS_PER_MINUTE: '1000000',
  LIMIT_CONNECTIONS_PER_IP: '20000',
};

type Fixture = {
  url: string;
  members: SignedIn[];
  desk: NoticeAdmin;
  redis: Redis;
  crowds: typeof CROWDS;
  settleMs: number;
};
type RoundContext = {
  api: Server;
  readers: Child;
  desk: NoticeAdmin;
  redis: Redis;
  members: SignedIn[];
  prefix: string;
  settleMs: number;
};

export async function benchStreams({ server, rounds, scale, log }: Settings): Promise<Report> {
  const crowds = {
    many: some(CROWDS.many, scale),
    few: some(CROWDS.few, scale),
    notices: some(CROWDS.notices, scale),
  };
  const fixture = await createFixture(server);
  const orm = new MikroORM(defineConfig({ clientUrl: fixture.url, entities }));
  const redis = new Redis(process.env['REDIS_URL'] ?? '');
  try {
    const members = await signIn(
      fixture.owner,
      Array.from({ length: ACCOUNTS }, (_, i) => i + 1),
    );
    await fixture.owner.query("INSERT INTO manager (name) VALUES ('bench') ON CONFLICT (name) DO NOTHING");
    // No expiry reminders: ten thousand mails would be queued before the notices.
    await fixture.owner.query("UPDATE member_account SET expire_at = now() + interval '1 year'");
    const desk = new NoticeAdmin(orm.em, new Outbox(), { now: () => new Date(), toWire: String });
    const figures: StreamsRound[] = [];
    for (let round = 1; round <= rounds; round++) {
      const found = await runRound({ url: fixture.url, members, desk, redis, crowds, settleMs: SETTLE_MS * scale });
      figures.push(found);
      log(roundLine(round, found));
    }
    return reportStreams(figures, crowds);
  } finally {
    redis.disconnect();
    await orm.close(true);
    await fixture.close();
  }
}

const author: AuthorOf = async (em) => ({ managerId: (await findManager(em, 'bench')) ?? 0, reason: null });

/** One round in new processes: a process that has held ten thousand streams never shrinks again. */
async function runRound({ url, members, desk, redis, crowds, settleMs }: Fixture): Promise<StreamsRound> {
  const env = apiEnv(url, WIDE);
  const running: Child[] = [];
  try {
    const api = await startServer('streams-server', env);
    running.push(api);
    running.push(startChild('../src/worker', { ...env, WORKER_PORT: '0' }));
    const readers = startChild('streams-load');
    running.push(readers);
    const prefix = env['REDIS_PREFIX'] ?? '';
    const context: RoundContext = { api, readers, desk, redis, members, prefix, settleMs };
    // Warm up: compile and open all connections.
    const { many: count, few: fewer, notices } = crowds;
    await measureCrowd(context, { count: Math.min(100, count), notices });
    // What a process subscribes to once it had a stream, whatever their number.
    const { channels: own } = await drained(context, Infinity);
    const many = await measureCrowd(context, { count, notices });
    const left = await drained(context, own);
    const few = await measureCrowd(context, { count: fewer, notices });
    // A second crowd of the same size must add nothing.
    await measureCrowd(context, { count, notices: 1 });
    return { few, many, own, left, leftAgain: await drained(context, own) };
  } finally {
    await Promise.all(running.map((child) => child.stop()));
  }
}

/** Opens `count` streams, every second one a member's, publishes `notices` one after another, and closes the streams. */
async function measureCrowd(
  context: RoundContext,
  { count, notices }: { count: number; notices: number },
): Promise<CrowdFigures> {
  const { api, readers, desk } = context;
  const { port } = new URL(api.url);
  const before = residentMemory(api.process.pid);
  const processor = ofProcess(api.process.pid);
  const used = [processor()];
  const headers = context.members.slice(0, count).map((member, at) => (at % 2 ? headersOf(member) : {}));
  const began = process.hrtime.bigint();
  const opened = sinceMs(
    began,
    (await ask<Milestones>(readers, { do: 'open', port: Number(port), headers } satisfies Task)).all,
  );
  const idle = residentMemory(api.process.pid);
  used.push(processor());
  const [half, all]: [number[], number[]] = [[], []];
  const others = measureOtherRequests(api.url);
  for (let at = 0; at < notices; at++) {
    const publishedAt = process.hrtime.bigint();
    const milestones = ask<Milestones>(readers, { do: 'wait', event: 'notice' } satisfies Task);
    const { id } = await desk.add(noticeOf(at), { publish: true }, author);
    const { half: halfAt, all: allAt } = await milestones;
    half.push(sinceMs(publishedAt, halfAt));
    all.push(sinceMs(publishedAt, allAt));
    const removed = ask<Milestones>(readers, { do: 'wait', event: 'notice-removed' } satisfies Task);
    await desk.withdraw(id, author);
    await removed;
    await sleep(PAUSE_MS);
  }
  const busy = residentMemory(api.process.pid);
  used.push(processor());
  const latencies = await others.stop();
  await ask<Milestones>(readers, { do: 'close' } satisfies Task);
  const [start = 0, afterOpening = 0, notified = 0] = used;
  const cost = { open: (afterOpening - start) / count, notice: (notified - afterOpening) / count / notices / 2 };
  return { count, opened, half, all, memory: { before, idle, busy }, cost, others: latencies };
}

/** What remains after all streams are closed; waits until there are `own` subscriptions at most. */
async function drained({ api, redis, prefix, settleMs }: RoundContext, own: number): Promise<Leftovers> {
  const channels = async (): Promise<number> =>
    ((await redis.pubsub('CHANNELS', `${prefix}:live:*`)) as string[]).length;
  const gone = async (): Promise<boolean> =>
    (await ask<HeldResources>(api, {})).streams === 0 && (await channels()) <= own;
  const latest = performance.now() + 10_000;
  while (!(await gone()) && performance.now() < latest) await sleep(100);
  await sleep(settleMs);
  const held = await ask<HeldResources>(api, {});
  return { ...held, channels: await channels(), resident: residentMemory(api.process.pid) };
}

const sinceMs = (began: bigint, at: string): number => Number(BigInt(at) - began) / 1e6;

/** Response times (ms) of another request while notices are sent. */
function measureOtherRequests(url: string): { stop: () => Promise<number[]> } {
  const times: number[] = [];
  let over = false;
  const asking = (async () => {
    while (!over) {
      const began = performance.now();
      await (await fetch(url + BASE_PATH + listNotices.path)).arrayBuffer();
      times.push(performance.now() - began);
      await sleep(EVERY_MS);
    }
  })();
  return {
    stop: async () => {
      over = true;
      await asking;
      return times;
    },
  };
}

/** About 600 bytes on the wire. */
function noticeOf(at: number) {
  const texts = (name: string, sentence: string) => ({
    name,
    title: `${name} ${at}`,
    subTitle: '22:00 – 23:00',
    content: `<p>${sentence.repeat(6)}</p><p><a href="/price">${name}</a></p>`,
  });
  return {
    zh: texts('维护公告', '今晚系统维护，期间翻译可能变慢。'),
    en: texts('Maintenance', 'The system is maintained tonight; translations may be slow. '),
    startsAt: new Date(Date.now() - 1_000),
    endsAt: null,
  };
}

/** Figures of one crowd of streams; times in ms, memory in bytes. `half`, `all`: from publishing until half of them, and all, had the notice. */
type CrowdFigures = {
  count: number;
  opened: number;
  half: number[];
  all: number[];
  /** Resident: before the first stream, with all of them open, and after the notices. */
  memory: { before: number; idle: number; busy: number };
  /** µs of the API's processor time per stream: to open it, and to send it one event. */
  cost: { open: number; notice: number };
  /** Response times of other requests meanwhile. */
  others: number[];
};

/** After all streams are closed; memory in bytes, `outside` the heap. */
type Leftovers = { streams: number; channels: number; heap: number; outside: number; resident: number };
/** `own`: subscriptions of the process itself; `left`: after the first crowd of many; `leftAgain`: after the second. */
type StreamsRound = { few: CrowdFigures; many: CrowdFigures; own: number; left: Leftovers; leftAgain: Leftovers };

const [KB, MB] = [1_024, 1_000_000];

const slowest = ({ all }: CrowdFigures): number => Math.max(...all);
const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
const each = ({ memory, count }: CrowdFigures, part: 'idle' | 'busy'): number =>
  (memory[part] - memory.before) / count / KB;
/** Bytes left behind per stream. */
const leftBehind = ({ many, left, leftAgain }: StreamsRound): number =>
  (leftAgain.heap + leftAgain.outside - left.heap - left.outside) / many.count;

const ms = (n: number): string => `${n.toFixed(0)} ms`;

const roundLine = (round: number, { few, many, left, leftAgain }: StreamsRound): string =>
  [
    `round ${round}: all have it after ${ms(median(few.all))} (${few.count}), ${ms(median(many.all))} (${many.count}), slowest ${ms(slowest(many))}`,
    `${each(many, 'idle').toFixed(1)} kB each, ${each(many, 'busy').toFixed(1)} kB after the notices`,
    `resident ${[many.memory.before, many.memory.busy, left.resident, leftAgain.resident].map((n) => (n / MB).toFixed(0)).join(' → ')} MB`,
    `opened in ${ms(many.opened)} (${many.cost.open.toFixed(0)} µs of processor each), others' p99 ${ms(p99(many.others))}`,
  ].join(' · ');

/** `crowds`: the numbers of streams in `many` and `few`, and of notices. */
function reportStreams(rounds: StreamsRound[], crowds: { many: number; few: number; notices: number }): Report {
  const { many: streams, notices } = crowds;
  const over = (of: (round: StreamsRound) => number, target: Omit<Target, 'found' | 'rounds'>): Target =>
    overRounds(rounds.map(of), target);
  const targets = [
    over(({ many }) => slowest(many), {
      name: `a notice is with ${streams} streams, slowest of ${notices}`,
      kind: 'at most',
      gate: 1_000,
      unit: ' ms',
    }),
    over(({ many }) => each(many, 'busy'), {
      name: 'resident memory of an idle stream',
      kind: 'below',
      gate: 40,
      unit: ' kB',
    }),
    over(leftBehind, { name: 'memory that a stream leaves behind', kind: 'at most', gate: 100, unit: ' B' }),
    over(
      ({ own, left, leftAgain }) => left.streams + left.channels + leftAgain.streams + leftAgain.channels - 2 * own,
      {
        name: 'streams and subscriptions left behind',
        kind: 'at most',
        gate: 0,
        unit: '',
      },
    ),
  ];
  const figures = (of: (round: StreamsRound) => number, digits = 0): string =>
    median(rounds.map(of)).toFixed(digits).padStart(9);
  const line = (name: string, of: (heard: CrowdFigures) => number): string =>
    `  ${name.padEnd(52)} ${figures(({ few }) => of(few))} ${figures(({ many }) => of(many))}`;
  const text = [
    '',
    `a notice, from publishing it (outbox, worker, Redis)   ${[crowds.few, streams].map((n) => String(n).padStart(9)).join(' ')} streams`,
    line('half of the streams have it, ms', ({ half }) => median(half)),
    line('all have it, ms', ({ all }) => median(all)),
    line(`all have it, the slowest of ${notices} notices, ms`, slowest),
    line('another request meanwhile, median, ms', ({ others }) => median(others)),
    line('another request meanwhile, p99, ms', ({ others }) => p99(others)),
    line('processor time of opening one, µs', ({ cost }) => cost.open),
    line('processor time of telling one, µs', ({ cost }) => cost.notice),
    line('opened within, ms', ({ opened }) => opened),
    `  resident memory, MB: before ${figures(({ many }) => many.memory.before / MB)}, with ${streams} idle ${figures(({ many }) => many.memory.idle / MB)}, after ${notices} notices ${figures(({ many }) => many.memory.busy / MB)}, when all have gone ${figures(({ left }) => left.resident / MB)}, the same again ${figures(({ leftAgain }) => leftAgain.resident / MB)}`,
    `  each: idle ${figures(({ many }) => each(many, 'idle'), 1)} kB, after ${notices} notices ${figures(({ many }) => each(many, 'busy'), 1)} kB`,
    '',
    ...targets.map(targetLine),
  ].join('\n');
  return { text, json: { rounds }, targets };
}
