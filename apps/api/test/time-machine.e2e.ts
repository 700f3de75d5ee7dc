/** The time machine reads any moment and any span of an account as a replay of its entries from the first one would (operators §6). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import {
  checkProof,
  getAccountState,
  getDifference,
  getTimeline,
  listEntries,
} from '@yiqiao/contracts/operator/accounts';
import { advance, emptyAccount, type Entry } from '@yiqiao/domain/ledger';
import fc from 'fast-check';
import type pg from 'pg';
import { LARGEST_MEMBER, YEAR_DAYS } from '../bench/history.js';
import { loadHistory } from '../bench/history-fixture.js';
import { entities } from '../src/entities.js';
import { ENTRY_COLUMNS, entryOf } from '../src/ledger/rows/entry-rows.js';
import { AccountBlocks } from '../src/ledger/time-machine/account-blocks.js';
import { CheckProofHandler, CheckProof } from '../src/ledger/time-machine/check-proof.js';
import { GetAccountState, GetAccountStateHandler } from '../src/ledger/time-machine/get-account-state.js';
import { GetDifference, GetDifferenceHandler } from '../src/ledger/time-machine/get-difference.js';
import { GetTimeline, GetTimelineHandler } from '../src/ledger/time-machine/get-timeline.js';
import { ListEntries, ListEntriesHandler } from '../src/ledger/time-machine/list-entries.js';
import { momentOf } from '../src/ledger/time-machine/read-states.js';
import { Clock } from '../src/platform/clock.js';
import { loadConfig } from '../src/platform/config.js';
import { parseValues } from '../src/platform/database.js';
import { freshDatabase, type FreshDatabase } from './support/database.js';

const ROWS = 30_000;
/** A member with a few hundred entries, and a sub-account. */
const [SMALL, SUB] = [61, 62];

let database: FreshDatabase;
let orm: MikroORM;
let clock: Clock;
let blocks: AccountBlocks;
let stories: Map<number, Entry[]>;
const config = loadConfig({
  DATABASE_URL: 'postgresql://none',
  REDIS_URL: 'redis://none',
  SMTP_URL: 'smtp://none',
  APP_SECRET: '0'.repeat(64),
});

beforeAll(async () => {
  database = await freshDatabase({ parts: 1 });
  await loadHistory(database.url, { rows: ROWS, days: YEAR_DAYS }, () => undefined);
  const onPoolCreated = (pool: pg.Pool): void =>
    parseValues(pool.options.types as unknown as Parameters<typeof parseValues>[0]);
  orm = new MikroORM(defineConfig({ clientUrl: database.url, entities, driverOptions: { onPoolCreated } }));
  await orm.connect();
  clock = new Clock(config);
  blocks = new AccountBlocks(orm.em, config);
  stories = new Map();
  for (const userId of [LARGEST_MEMBER, SMALL, SUB]) stories.set(userId, await entriesOf(userId));
});
afterAll(async () => {
  await orm.close(true);
  await database.drop();
});

async function entriesOf(userId: number): Promise<Entry[]> {
  const rows = await orm.em
    .fork()
    .execute<{ entry: never[] }[]>(
      `SELECT json_build_array(${ENTRY_COLUMNS}) AS entry FROM account_log WHERE user_id = ? ORDER BY seq`,
      [userId],
    );
  return rows.map(({ entry }) => entryOf(entry));
}

const story = (userId: number): Entry[] => {
  const entries = stories.get(userId);
  if (!entries) throw new Error(`no entries of ${userId}`);
  return entries;
};
const replayed = (entries: readonly Entry[]): ReturnType<typeof emptyAccount> => {
  const state = emptyAccount();
  for (const entry of entries) advance(state, entry);
  return state;
};
const until = (userId: number, at: string): Entry[] => {
  const end = clock.endOfWire(at).getTime();
  return story(userId).filter(({ createdAt }) => createdAt <= end);
};

const state = (request: object) =>
  new GetAccountStateHandler(orm.em, clock, blocks)
    .execute(new GetAccountState(getAccountState.request.parse(request), 'en'))
    .then((answer) => getAccountState.response.parse(answer));
const timeline = (request: object) =>
  new GetTimelineHandler(orm.em, clock, blocks)
    .execute(new GetTimeline(getTimeline.request.parse(request)))
    .then((answer) => getTimeline.response.parse(answer));
const difference = (request: object) =>
  new GetDifferenceHandler(orm.em, clock, blocks, config)
    .execute(new GetDifference(getDifference.request.parse(request), 'en'))
    .then((answer) => getDifference.response.parse(answer));
const entries = (request: object) =>
  new ListEntriesHandler(orm.em, clock, config)
    .execute(new ListEntries(listEntries.request.parse(request), 'en'))
    .then((answer) => listEntries.response.parse(answer));
const proof = (request: object) =>
  new CheckProofHandler(orm.em, clock).execute(new CheckProof(checkProof.request.parse(request)));

/** Moments from before the first entry to after the last. */
const DAY_MS = 86_400_000;
const wire = (ms: number): string => clock.toWire(new Date(ms));
const moments = fc.integer({ min: -5 * DAY_MS, max: 370 * DAY_MS }).map((ms) => wire(Date.now() - 365 * DAY_MS + ms));
const members = fc.constantFrom(LARGEST_MEMBER, SMALL, SUB);

describe('a moment', () => {
  it('is the replay of the entries until then', async () => {
    await fc.assert(
      fc.asyncProperty(members, moments, async (userId, at) => {
        const seen = until(userId, at);
        const { expireAt, billingMode, ...expected } = replayed(seen);
        const { channel, price, ...found } = await state({ userId: String(userId), at });
        expect([channel === null, price === null]).toEqual([
          expected.tranChannelId === null,
          expected.tranChannelId === null,
        ]);
        expect(found).toEqual({
          ...expected,
          at: seen.length === 0 ? null : wire(seen.at(-1)?.createdAt ?? 0),
          moment: seen.length === 0 ? null : momentOf(clock, seen.at(-1)?.createdAt ?? 0),
          held: null,
          expireDateTime: expireAt === null ? null : wire(expireAt),
          translationBillingMode: billingMode,
          entryId: seen.length === 0 ? null : expect.any(Number),
        });
      }),
      { numRuns: 60 },
    );
  });

  it('is also found by the number of its entry, and at the end by neither', async () => {
    const all = story(LARGEST_MEMBER);
    for (const seq of [1, 31, 32, 33, 1_023, 1_024, 1_025, all.length]) {
      const { charNum, usedCharTotal, rechargeAmountTotal } = replayed(all.slice(0, seq));
      expect(await state({ userId: String(LARGEST_MEMBER), seq: String(seq) })).toMatchObject({
        seq,
        charNum,
        usedCharTotal,
        rechargeAmountTotal,
      });
    }
    expect(await state({ userId: String(LARGEST_MEMBER) })).toMatchObject({ seq: all.length });
    await expect(state({ userId: String(LARGEST_MEMBER), seq: String(all.length + 1) })).rejects.toThrow('NOT_FOUND');
    await expect(state({ userId: '999999' })).rejects.toThrow('NOT_FOUND');
  });
});

describe('a timeline', () => {
  it('has the balances, true extremes and entries of every interval', async () => {
    await fc.assert(
      fc.asyncProperty(members, moments, moments, fc.integer({ min: 2, max: 60 }), async (userId, a, b, n) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const { points } = await timeline({ userId: String(userId), from, to, points: String(n) });
        expect(points).toHaveLength(n);
        const [begin, end] = [clock.endOfWire(from).getTime(), clock.endOfWire(to).getTime()];
        let before = 0;
        for (const [i, point] of points.entries()) {
          const at = Math.round(begin + ((end - begin) * i) / (n - 1));
          const seen = story(userId).filter(({ createdAt }) => createdAt <= at);
          const since = i === 0 ? [] : seen.slice(before);
          const start = replayed(seen.slice(0, i === 0 ? seen.length : before));
          const now = replayed(seen);
          const chars = [start.charNum, ...since.map((entry) => entry.lastCharNum)];
          const images = [start.imageNum, ...since.map((entry) => entry.lastImageNum)];
          const byType: Record<string, number> = {};
          for (const { type } of since) byType[type] = (byType[type] ?? 0) + 1;
          expect(point).toMatchObject({
            seq: seen.length,
            charNum: now.charNum,
            voiceNum: now.voiceNum,
            imageNum: now.imageNum,
            min: { charNum: Math.min(...chars), imageNum: Math.min(...images) },
            max: { charNum: Math.max(...chars), imageNum: Math.max(...images) },
          });
          expect(point.entries).toEqual(byType);
          before = seen.length;
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('a difference', () => {
  it('is attributed to the unit', async () => {
    await fc.assert(
      fc.asyncProperty(members, moments, moments, async (userId, a, b) => {
        const [from, to] = a < b ? [a, b] : [b, a];
        const found = await difference({ userId: String(userId), from, to });
        const between = until(userId, to).slice(until(userId, from).length);
        const sum = (of: (entry: Entry) => number): number => between.reduce((total, entry) => total + of(entry), 0);
        const expected = {
          charNum: sum((entry) => entry.charChange),
          voiceNum: sum((entry) => entry.voiceChange),
          imageNum: sum((entry) => entry.imageChange),
          amount: sum((entry) => entry.amount),
        };
        expect(found.difference).toEqual(expected);
        const parts = { charNum: 0, voiceNum: 0, imageNum: 0, amount: 0 };
        for (const part of found.parts)
          for (const name of Object.keys(parts) as (keyof typeof parts)[]) parts[name] += part[name];
        expect(parts).toEqual(expected);
        expect(found.parts.reduce((n, part) => n + part.entries, 0)).toBe(between.length);
        const uses = found.parts.filter(({ cause }) => cause.kind === 'day');
        const days = new Map<string, number>();
        for (const { createdAt, type, imageChange } of between) {
          if (type !== 'TRANSLATION_CONSUME' && type !== 'VOICE_CONSUME' && !(type === 'OTHER' && imageChange < 0))
            continue;
          const key = `${type} ${wire(createdAt).slice(0, 10)}`;
          days.set(key, (days.get(key) ?? 0) + 1);
        }
        expect(new Map(uses.map(({ type, cause, entries: n }) => [`${type} ${cause.ref}`, n]))).toEqual(days);
      }),
      { numRuns: 40 },
    );
  });

  it('names orders, members and days', async () => {
    const { parts } = await difference({ userId: '1', from: wire(Date.now() - 400 * DAY_MS), to: wire(Date.now()) });
    const labels = new Map(parts.map(({ cause }) => [cause.kind, cause.label]));
    expect(labels.get('order')).toMatch(/^YQ\d+$/);
    expect(labels.get('day')).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(labels.get('member')).toBeTruthy();
  });
});

describe('the entries of a part', () => {
  it('are found by its type and cause, as many as it counts, and continue where a page ends', async () => {
    const span = { from: wire(Date.now() - 400 * DAY_MS), to: wire(Date.now()) };
    const { parts } = await difference({ userId: '1', ...span });
    const kinds = new Set(parts.map(({ cause }) => cause.kind));
    expect([...kinds]).toEqual(expect.arrayContaining(['order', 'member', 'day']));
    for (const kind of kinds) {
      const [part] = parts.filter(({ cause }) => cause.kind === kind);
      if (!part) throw new Error(`no part by ${kind}`);
      const { type, cause } = part;
      const isDay = kind === 'day';
      const expected = isDay
        ? parts.filter((each) => each.type === type).reduce((n, each) => n + each.entries, 0)
        : part.entries;
      const which = { userId: '1', type, ...(isDay ? {} : { cause: `${kind}:${cause.ref}` }) };
      let found = 0;
      for (let toSeq: number | null = story(1).length; toSeq !== null;) {
        const page = await entries({ ...which, toSeq: String(toSeq), limit: '500' });
        for (const row of page.rows) expect([row.logType, isDay || row.cause.ref]).toEqual([type, isDay || cause.ref]);
        found += page.rows.length;
        toSeq = page.oldestSeq > 1 ? page.oldestSeq - 1 : null;
      }
      expect([kind, found]).toEqual([kind, expected]);
    }
    expect(() => listEntries.request.parse({ userId: '1', cause: 'day:2026-01-01' })).toThrow();
  });
});

describe('the chain', () => {
  it('links the entries of the stream', async () => {
    const { rows, total } = await entries({ userId: '1', fromSeq: '10', toSeq: '80', limit: '20' });
    expect(total).toBe(71);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, i) => 80 - i));
    for (const [i, row] of rows.slice(0, -1).entries()) expect(row.previousHash).toBe(rows[i + 1]?.hash);
    expect((await entries({ userId: '1', toSeq: '1' })).rows[0]?.previousHash).toBe('0'.repeat(64));
  });

  it('holds, and its first break is named', async () => {
    const [all] = [story(SMALL).length];
    expect(await proof({ userId: String(SMALL) })).toEqual({ whole: true, entries: all, firstBreak: null });
    expect(await proof({ userId: String(SMALL), fromSeq: '20', toSeq: '30' })).toMatchObject({
      whole: true,
      entries: 11,
    });
    for (const span of [{ fromSeq: String(all + 1_000) }, { fromSeq: '5', toSeq: '2' }])
      expect(await proof({ userId: String(SMALL), ...span })).toEqual({ whole: true, entries: 0, firstBreak: null });
    await database.owner.query(`ALTER TABLE account_log DISABLE TRIGGER USER;
      UPDATE account_log SET last_char = last_char + 1, char_change = char_change + 1 WHERE user_id = ${SMALL} AND seq = 25`);
    const found = await proof({ userId: String(SMALL) });
    expect(found).toMatchObject({ whole: false, entries: 24, firstBreak: { seq: 25 } });
    await database.owner
      .query(`UPDATE account_log SET last_char = last_char - 1, char_change = char_change - 1 WHERE user_id = ${SMALL} AND seq = 25;
      UPDATE account_log SET hash = decode(repeat('ab', 32), 'hex') WHERE user_id = ${SMALL} AND seq = 26`);
    expect(await proof({ userId: String(SMALL), fromSeq: '26', toSeq: '26' })).toMatchObject({
      firstBreak: { seq: 26, field: 'hash', found: 'ab'.repeat(32) },
    });
    await database.owner.query(`DELETE FROM account_log WHERE user_id = ${SUB} AND seq = 5`);
    expect(await proof({ userId: String(SUB) })).toMatchObject({ firstBreak: { seq: 6, field: 'seq', expected: '5' } });
    expect(await proof({ userId: String(SUB), fromSeq: '6' })).toMatchObject({
      firstBreak: { seq: 6, field: 'seq', expected: '5', found: '6' },
    });
  });
});

describe('the blocks', () => {
  it('are built by the scheduled job for every account, once', async () => {
    const behind = await blocks.accountsBehind();
    for (const userId of behind) await blocks.catchUp(userId);
    expect(await blocks.accountsBehind()).toEqual([]);
    const count = async (): Promise<number> =>
      Number((await database.owner.query<{ n: string }>('SELECT count(*) AS n FROM account_block')).rows[0]?.n);
    const before = await count();
    await Promise.all([LARGEST_MEMBER, LARGEST_MEMBER, SMALL].map((userId) => blocks.catchUp(userId)));
    expect(await count()).toBe(before);
    const { rows } = await database.owner.query<{ n: string }>(
      'SELECT count(*) AS n FROM account_block WHERE user_id = 1 AND level = 1',
    );
    expect(Number(rows[0]?.n)).toBe(Math.floor(story(LARGEST_MEMBER).length / 1_024));
  });
});
