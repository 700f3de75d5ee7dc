/** Ten thousand idle notice streams on one process: delivery time of a notice, memory per stream, and what remains after they close. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { listNotices } from '@yiqiao/contracts/notices';
import { Redis } from 'ioredis';
import { entities } from '../src/entities.js';
import { NoticeDesk } from '../src/notices/notice-desk.js';
import { findManager, type AuthorOf } from '../src/platform/manager-actions.js';
import { Outbox } from '../src/platform/outbox.js';
import { ask, startChild, startServer, type Child, type Server } from './child.js';
import { ACCOUNTS, createFixture } from './fixture.js';
import { residentMemory } from './memory.js';
import { ofProcess } from './cpu-time.js';
import { apiEnv, headersOf, signIn, type SignedIn } from './sign-in.js';
import type { Task, Milestones } from './streams-load.js';
import { reportStreams, roundLine, type CrowdFigures, type Leftovers, type StreamsRound } from './streams-report.js';
import type { HeldResources } from './streams-server.js';
import { some, type Report, type Settings } from './targets.js';

const CROWDS = { many: 10_000, few: 1_000, notices: 10 };
/** Between two notices, so that they are not sent together. */
const PAUSE_MS = 200;
/** Interval of the other requests. */
const EVERY_MS = 20;

/** Channels that a process subscribes to by itself. */
const OWN_CHANNELS = 3;

/** All streams come from one address at once. */
const WIDE = {
  LIMIT_STREAMS: '20000',
  LIMIT_STREAMS_PER_IP: '20000',
  LIMIT_STREAM_OPENS_PER_MINUTE: '1000000',
};

type Fixture = { url: string; members: SignedIn[]; desk: NoticeDesk; redis: Redis; crowds: typeof CROWDS };
type RoundContext = {
  api: Server;
  readers: Child;
  desk: NoticeDesk;
  redis: Redis;
  members: SignedIn[];
  prefix: string;
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
    await fixture.owner.query('BEGIN');
    const members = await signIn(
      fixture.owner,
      Array.from({ length: ACCOUNTS }, (_, i) => i + 1),
    );
    await fixture.owner.query('COMMIT');
    await fixture.owner.query("INSERT INTO manager (name) VALUES ('bench') ON CONFLICT (name) DO NOTHING");
    // No expiry reminders: ten thousand mails would be queued before the notices.
    await fixture.owner.query("UPDATE member_account SET expire_at = now() + interval '1 year'");
    const desk = new NoticeDesk(orm.em, new Outbox());
    const figures: StreamsRound[] = [];
    for (let round = 1; round <= rounds; round++) {
      const found = await runRound({ url: fixture.url, members, desk, redis, crowds });
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
async function runRound({ url, members, desk, redis, crowds }: Fixture): Promise<StreamsRound> {
  const env = apiEnv(url, WIDE);
  const running: Child[] = [];
  try {
    const api = await startServer('streams-server', env);
    running.push(api);
    running.push(startChild('../src/worker', { ...env, WORKER_PORT: '0' }));
    const readers = startChild('streams-load');
    running.push(readers);
    const context: RoundContext = { api, readers, desk, redis, members, prefix: env['REDIS_PREFIX'] ?? '' };
    // Warm up: compile and open all connections.
    const { many: count, few: fewer, notices } = crowds;
    await measureCrowd(context, { count: Math.min(100, count), notices });
    await drained(context);
    const many = await measureCrowd(context, { count, notices });
    const left = await drained(context);
    const few = await measureCrowd(context, { count: fewer, notices });
    // A second crowd of the same size must add nothing.
    await measureCrowd(context, { count, notices: 1 });
    return { few, many, left, leftAgain: await drained(context) };
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
    const asked = process.hrtime.bigint();
    const milestones = ask<Milestones>(readers, { do: 'wait', event: 'notice' } satisfies Task);
    const id = await desk.publish(noticeOf(at), author);
    const { half: halfAt, all: allAt } = await milestones;
    half.push(sinceMs(asked, halfAt));
    all.push(sinceMs(asked, allAt));
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

/** What remains after all streams are closed. */
async function drained({ api, redis, prefix }: RoundContext): Promise<Leftovers> {
  const began = performance.now();
  for (;;) {
    const { streams, heap, outside } = await ask<HeldResources>(api, {});
    const channels = (await redis.pubsub('CHANNELS', `${prefix}:live:*`)) as string[];
    const done = streams === 0 && channels.length <= OWN_CHANNELS;
    if (done || performance.now() - began > 10_000)
      return {
        streams,
        channels: Math.max(0, channels.length - OWN_CHANNELS),
        heap,
        outside,
        resident: residentMemory(api.process.pid),
      };
    await sleep(100);
  }
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
