/** Ten thousand idle notice streams on one process: how soon a notice is with all of them, what each takes, and what stays when they are gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { listNotices } from '@yiqiao/contracts/notices';
import { Redis } from 'ioredis';
import { NoticeDesk } from '../src/notices/notice-desk.js';
import { findManager, type AuthorOf } from '../src/platform/manager-actions.js';
import { Outbox } from '../src/platform/outbox.js';
import { ask, startChild, startServer, type Child, type Server } from './child.js';
import { ACCOUNTS, prepareGround } from './ground.js';
import { residentMemory } from './memory-of.js';
import { ofProcess } from './processor.js';
import { apiEnv, headersOf, signIn, type SignedIn } from './signed-in.js';
import type { Task, Told } from './streams-load.js';
import { reportStreams, roundLine, type Heard, type Left, type StreamsRound } from './streams-report.js';
import type { Looked } from './streams-server.js';
import { some, type Findings, type Setting } from './verdicts.js';

const CROWDS = { many: 10_000, few: 1_000, notices: 10 };
/** Between two notices, so that each is a notice of its own. */
const PAUSE_MS = 200;
/** Who asks for something else meanwhile asks this often. */
const EVERY_MS = 20;

/** What a process listens to itself, however many streams it holds. */
const OWN_CHANNELS = 3;

/** All come from one address, and at once. */
const WIDE = {
  LIMIT_STREAMS: '20000',
  LIMIT_STREAMS_PER_IP: '20000',
  LIMIT_STREAM_OPENS_PER_MINUTE: '1000000',
};

type Ground = { url: string; members: SignedIn[]; desk: NoticeDesk; redis: Redis; crowds: typeof CROWDS };
type Stage = { api: Server; readers: Child; desk: NoticeDesk; redis: Redis; members: SignedIn[]; prefix: string };

export async function benchStreams({ server, rounds, scale, say }: Setting): Promise<Findings> {
  const crowds = {
    many: some(CROWDS.many, scale),
    few: some(CROWDS.few, scale),
    notices: some(CROWDS.notices, scale),
  };
  const ground = await prepareGround(server);
  const orm = new MikroORM(
    defineConfig({ clientUrl: ground.url, entities: [], discovery: { warnWhenNoEntities: false } }),
  );
  const redis = new Redis(process.env['REDIS_URL'] ?? '');
  try {
    await ground.owner.query('BEGIN');
    const members = await signIn(
      ground.owner,
      Array.from({ length: ACCOUNTS }, (_, i) => i + 1),
    );
    await ground.owner.query('COMMIT');
    await ground.owner.query("INSERT INTO manager (name) VALUES ('bench') ON CONFLICT (name) DO NOTHING");
    // Nobody is to be told that its time is nearly over: ten thousand letters would stand before the notices.
    await ground.owner.query("UPDATE member_account SET expire_at = now() + interval '1 year'");
    const desk = new NoticeDesk(orm.em, new Outbox());
    const figures: StreamsRound[] = [];
    for (let round = 1; round <= rounds; round++) {
      const found = await onStage({ url: ground.url, members, desk, redis, crowds });
      figures.push(found);
      say(roundLine(round, found));
    }
    return reportStreams(figures, crowds);
  } finally {
    redis.disconnect();
    await orm.close(true);
    await ground.close();
  }
}

const author: AuthorOf = async (em) => ({ managerId: (await findManager(em, 'bench')) ?? 0, reason: null });

/** One round with processes of its own: one that has held ten thousand streams never looks small again. */
async function onStage({ url, members, desk, redis, crowds }: Ground): Promise<StreamsRound> {
  const env = apiEnv(url, WIDE);
  const running: Child[] = [];
  try {
    const api = await startServer('streams-server', env);
    running.push(api);
    running.push(startChild('../src/worker', { ...env, WORKER_PORT: '0' }));
    const readers = startChild('streams-load');
    running.push(readers);
    const stage: Stage = { api, readers, desk, redis, members, prefix: env['REDIS_PREFIX'] ?? '' };
    // Compiled, and with all connections that it ever needs, before anything counts.
    const { many: count, few: fewer, notices } = crowds;
    await hear(stage, { count: Math.min(100, count), notices });
    await emptied(stage);
    const many = await hear(stage, { count, notices });
    const left = await emptied(stage);
    const few = await hear(stage, { count: fewer, notices });
    // The same crowd again finds everything as it left it.
    await hear(stage, { count, notices: 1 });
    return { few, many, left, leftAgain: await emptied(stage) };
  } finally {
    await Promise.all(running.map((child) => child.stop()));
  }
}

/** Opens `count` streams, every second one a member's, publishes so many notices one after another, and leaves. */
async function hear(stage: Stage, { count, notices }: { count: number; notices: number }): Promise<Heard> {
  const { api, readers, desk } = stage;
  const { port } = new URL(api.url);
  const before = residentMemory(api.process.pid);
  const processor = ofProcess(api.process.pid);
  const used = [processor()];
  const headers = stage.members.slice(0, count).map((member, at) => (at % 2 ? headersOf(member) : {}));
  const began = process.hrtime.bigint();
  const opened = sinceMs(
    began,
    (await ask<Told>(readers, { do: 'open', port: Number(port), headers } satisfies Task)).all,
  );
  const idle = residentMemory(api.process.pid);
  used.push(processor());
  const [half, all]: [number[], number[]] = [[], []];
  const others = askMeanwhile(api.url);
  for (let at = 0; at < notices; at++) {
    const asked = process.hrtime.bigint();
    const told = ask<Told>(readers, { do: 'wait', event: 'notice' } satisfies Task);
    const id = await desk.publish(noticeOf(at), author);
    const { half: halfAt, all: allAt } = await told;
    half.push(sinceMs(asked, halfAt));
    all.push(sinceMs(asked, allAt));
    const removed = ask<Told>(readers, { do: 'wait', event: 'notice-removed' } satisfies Task);
    await desk.withdraw(id, author);
    await removed;
    await sleep(PAUSE_MS);
  }
  const busy = residentMemory(api.process.pid);
  used.push(processor());
  const latencies = await others.stop();
  await ask<Told>(readers, { do: 'close' } satisfies Task);
  const [cold = 0, open = 0, told = 0] = used;
  const cost = { open: (open - cold) / count, notice: (told - open) / count / notices / 2 };
  return { count, opened, half, all, memory: { before, idle, busy }, cost, others: latencies };
}

/** What is left when all have gone. */
async function emptied({ api, redis, prefix }: Stage): Promise<Left> {
  const began = performance.now();
  for (;;) {
    const { streams, heap, outside } = await ask<Looked>(api, {});
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

/** What somebody feels who opens a page while notices go out: ms of each answer. */
function askMeanwhile(url: string): { stop: () => Promise<number[]> } {
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
