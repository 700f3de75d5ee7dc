/** `account` of the notice stream (decisions §9): sent for every change, whoever made it and on whichever process. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { distributeChars } from '@yiqiao/contracts/sub-accounts';
import { getUser } from '@yiqiao/contracts/user';
import { Ledger } from '../src/ledger/ledger.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { until, type EventReader } from './support/event-reader.js';
import { buyPackage, makeMain, makeSub, PROFESSIONAL, setChars } from './support/family.js';
import { closeReaders, gateTo, held, ready, startSecond, type Process } from './support/notices.js';
import type { TestMember } from './support/test-members.js';
import { translateOne } from './support/translate.js';

let api: TestApi;
/** Another process on the same stores. */
let second: Process;
let main: TestMember;
let sub: TestMember;
let sibling: TestMember;
let stranger: TestMember;

beforeAll(async () => {
  api = await startApi({ LIMIT_STREAMS_PER_IP: '40' });
  second = await startSecond(api.env);
  main = await makeMain(api);
  await setChars(api, main.session.userId, 100_000);
  sub = await makeSub(api, main, 1_000);
  sibling = await makeSub(api, main, 1_000);
  stranger = await makeMain(api);
});
afterEach(async () => {
  await closeReaders();
  expect(await until(() => (held(api.app) + held(second.app) === 0 ? true : undefined), 30_000)).toBe(true);
});
afterAll(async () => {
  await second.app.close();
  await api.stop();
});

const account = { event: 'account', data: {} };

const accounts = ({ heard }: EventReader): number => heard.filter(({ event }) => event === 'account').length;
/** Waits for one more `account` event than before. */
const told = async (reader: EventReader, before = 0): Promise<boolean> =>
  (await until(() => (accounts(reader) > before ? true : undefined), 30_000)) ?? false;
/** Waits for two polls and a third. */
const looks = (): Promise<unknown> => sleep(2_500);

const give = (changeCharNum: number, to: TestMember = sub) =>
  main.client.call(distributeChars, { childUserId: to.session.userId, changeCharNum });

describe('balance changes', () => {
  it('publish a distribution to both sides, on every process, and to no other member', async () => {
    const both = [await ready(api.url, main), await ready(second.url, main), await ready(second.url, sub)];
    const others = [await ready(second.url, sibling), await ready(api.url, stranger), await ready(api.url)];
    await give(50);
    for (const reader of both) expect([await told(reader), reader.heard.at(-1)]).toEqual([true, account]);
    await looks();
    for (const reader of others) expect(reader.heard.map(({ event }) => event)).toEqual(['ready']);
  });

  it('that came between a page’s first read and its stream are told by the version of the account', async () => {
    const read = async (who: TestMember) => (await who.client.call(getUser, {})).accountVersion;
    const begun = async (who: TestMember) => (await ready(api.url, who)).heard[0]?.data;
    for (const who of [main, sub]) {
      const early = await read(who);
      expect(await begun(who)).toMatchObject({ accountVersion: early });
      await closeReaders();
      await until(() => (held(api.app) === 0 ? true : undefined), 30_000);
      await looks(); // the watch has forgotten who left
      await give(1);
      const late = await begun(who);
      expect(late).toMatchObject({ accountVersion: await read(who) });
      expect(late).not.toMatchObject({ accountVersion: early });
    }
  });

  it('publish a translation to its member and to the main account', async () => {
    const [own, mains] = [await ready(second.url, sub), await ready(second.url, main)];
    const other = await ready(second.url, sibling);
    await translateOne(sub.client, { text: 'good morning', source: 'en', target: 'es' });
    expect([await told(own), await told(mains)]).toEqual([true, true]);
    await looks();
    expect(accounts(other)).toBe(0);
  });

  it('count reserved characters as used and released ones as available', async () => {
    const reader = await ready(api.url, sub);
    const hold = { id: uuid7(), userId: sub.session.userId, familyId: main.session.userId };
    const ledger = second.app.get(Ledger, { strict: false });
    await ledger.hold({ ...hold, ask: { kind: 'text', codePoints: 7 } });
    expect(await told(reader)).toBe(true);
    const before = accounts(reader);
    await ledger.release({ ...hold, usage: null });
    expect(await told(reader, before)).toBe(true);
  });

  it('publish adjustments and packages, and a changed expiry to sub-accounts', async () => {
    const [mains, child] = [await ready(second.url, main), await ready(second.url, sub)];
    // This process may still know the sub-account from an earlier stream: what has changed since is told with its next look.
    await setChars(api, main.session.userId, 95_000);
    expect(await told(mains)).toBe(true);
    await looks();
    const [before, told95] = [accounts(child), accounts(mains)];
    await setChars(api, main.session.userId, 90_000);
    expect(await told(mains, told95)).toBe(true);
    await looks();
    // A sub-account is not told its main account's balance, but its expiry.
    expect(accounts(child)).toBe(before);
    await buyPackage(api, main, PROFESSIONAL);
    expect(await told(child, before)).toBe(true);
  });
});

describe('a stream', () => {
  it('misses no change after the stream is open', async () => {
    for (let n = 0; n < 5; n++) {
      const reader = await ready(n % 2 === 0 ? api.url : second.url, sub);
      await give(1);
      expect(await told(reader)).toBe(true);
      await reader.close();
    }
  });

  it('coalesces many changes into one event, and sends none without a change', async () => {
    const reader = await ready(api.url, sub);
    const began = Date.now();
    for (let n = 0; n < 30; n++) await give(1);
    expect(await told(reader)).toBe(true);
    await looks();
    const seconds = (Date.now() - began) / 1_000;
    expect(accounts(reader)).toBeLessThanOrEqual(seconds + 1);
    const before = accounts(reader);
    await looks();
    expect(accounts(reader)).toBe(before);
  });

  it('works without Redis', async () => {
    const gate = await gateTo(process.env['REDIS_URL'] ?? '');
    const cut = await startSecond({ ...api.env, REDIS_URL: gate.url, REDIS_TIMEOUT_MS: '500' });
    try {
      gate.shut();
      const reader = await ready(cut.url, sub);
      await give(1);
      expect(await told(reader)).toBe(true);
      await reader.close();
    } finally {
      await cut.app.close();
      await gate.end();
    }
  });
});

describe('the database is polled', () => {
  /** Whether the fingerprints were read since then. */
  const askedSince = async (since: Date): Promise<boolean> => {
    const { rows } = await api.db.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%AS fingerprint%' AND pid <> pg_backend_pid()
       AND query_start > $1`,
      [since],
    );
    return rows.length > 0;
  };
  const now = async (): Promise<Date> => {
    const { rows } = await api.db.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    return rows[0]?.now ?? new Date();
  };

  it('only while a signed-in client listens', async () => {
    const visitor = await ready(api.url);
    const reader = await ready(api.url, main);
    const since = await now();
    let asked = false;
    for (let tries = 0; tries < 300 && !asked; tries++) {
      await sleep(100);
      asked = await askedSince(since);
    }
    expect(asked).toBe(true);
    await reader.close();
    expect(await until(() => (held(api.app) === 1 ? true : undefined), 30_000)).toBe(true);
    await looks(); // the last one may be in flight
    const alone = await now();
    await looks();
    expect([await askedSince(alone), visitor.over]).toEqual([false, false]);
  });
});
