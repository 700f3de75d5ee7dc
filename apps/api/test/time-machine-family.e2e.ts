/** What stands behind an entry, and families at any moment, against a replay of their entries (operators §6). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from '@yiqiao/contracts/endpoint';
import type { getAccount, getCause, getCommand, listEntries } from '@yiqiao/contracts/operator/accounts';
import type {
  getFamilyDifference,
  getFamilyState,
  getFamilyTimeline,
  listFamilyMoves,
} from '@yiqiao/contracts/operator/families';
import { changeAutoDistribution, distributeChars } from '@yiqiao/contracts/sub-accounts';
import { Ledger } from '../src/ledger/ledger.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { startApi, type TestApi } from './support/api.js';
import { adjust, makeMain, makeSub, setChars } from './support/family.js';
import { openOrder, orderOf, paymentFor, settle } from './support/orders.js';
import { type OperatorBrowser, TestOperators } from './support/operators.js';
import type { TestMember } from './support/test-members.js';

const OFFLINE = 1;

let api: TestApi;
let operators: TestOperators;
let browser: OperatorBrowser;
let main: TestMember;
let subs: TestMember[];

beforeAll(async () => {
  api = await startApi();
  operators = await TestOperators.start(api);
  browser = await operators.signIn(await operators.enrol('viewer-1', 'viewer'));
  main = await makeMain(api);
  await setChars(api, main.session.userId, 100_000);
  subs = [await makeSub(api, main), await makeSub(api, main)];
  for (const [i, sub] of subs.entries())
    await main.client.call(distributeChars, { childUserId: sub.session.userId, changeCharNum: 1_000 * (i + 1) });
  await main.client.call(changeAutoDistribution, { userId: subs[0]?.session.userId ?? 0, autoDistribution: 1 });
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

const read = async <T>(path: string): Promise<T> => {
  const { status, body } = await browser.get(path);
  if (status !== 200) throw new Error(`${path}: ${body.code ?? status}`);
  return body.data;
};
const entriesOf = async (userId: number, query = '') =>
  (await read<Response<typeof listEntries>>(`/accounts/${userId}/entries?limit=500${query}`)).rows;
const newest = async (userId: number) => {
  const [row] = await entriesOf(userId);
  if (!row) throw new Error(`no entries of ${userId}`);
  return row;
};
const causeOf = (id: number) => read<Response<typeof getCause>>(`/entries/${id}/cause`);
const idOf = (who: TestMember | undefined): number => who?.session.userId ?? 0;

const translate = async (who: TestMember | undefined, codePoints: number, id = uuid7()): Promise<string> => {
  const ledger = api.app.get(Ledger, { strict: false });
  const command = { id, userId: idOf(who), familyId: idOf(main) };
  await ledger.hold({ ...command, ask: { kind: 'text', codePoints } });
  const usage = { tranChannelId: OFFLINE, ip: '192.0.2.7', clientType: 'windows', source: 'zh', target: 'en' } as const;
  await ledger.settle({ ...command, usage });
  return id;
};

describe('the cause of an entry', () => {
  it('is a translation: its line of the log, the member, the command', async () => {
    const cmdId = await translate(main, 30);
    const row = await newest(idOf(main));
    expect(row).toMatchObject({ hand: 'main', clientType: 'windows', consumerIp: null, cause: { kind: 'day' } });
    const cause = await causeOf(row.id);
    expect(cause).toMatchObject({
      cmdId,
      seq: row.seq,
      who: { hand: 'main', clientType: 'windows' },
      translation: { cmdId, seq: row.seq, kind: 'text', charged: 30, succeeded: true, sourceLanguage: 'zh' },
      order: null,
      action: null,
      conversion: null,
    });
    expect(cause.entries).toHaveLength(1);
    expect(JSON.stringify(cause)).not.toContain('192.0.2.7');
  });

  it('is an automatic distribution: both sides and the translation that lacked characters', async () => {
    const [sub] = subs;
    const cmdId = await translate(sub, 1_500);
    const [row] = await entriesOf(idOf(main), '&only=move');
    expect(row).toMatchObject({ hand: 'system', charChangeNum: -10_000 });
    const cause = await causeOf(row?.id ?? 0);
    expect(cause.who).toMatchObject({ hand: 'system', name: null });
    expect(cause.entries.map(({ userId, charChangeNum }) => [userId, charChangeNum])).toEqual([
      [idOf(main), -10_000],
      [idOf(sub), 10_000],
    ]);
    expect(cause.translation).toMatchObject({ cmdId, userId: idOf(sub), charged: 1_500 });
  });

  it('is an order with its payment, and what the gateway said', async () => {
    const id = await openOrder(api, main);
    await settle(api, await paymentFor(api, id));
    const { no } = await orderOf(api, id);
    const row = (await entriesOf(idOf(main), '&only=in')).find((each) => each.rechargeOrderByMemberGroupNo === no);
    expect(row).toMatchObject({ cause: { kind: 'order', ref: String(id) } });
    const { order, who } = await causeOf(row?.id ?? 0);
    expect(who).toMatchObject({ hand: 'main' });
    expect(order).toMatchObject({ no, payStatus: 'P', payments: [{ gateway: 'wechat', verdict: 'credit' }] });
  });

  it('is an operator with name and reason', async () => {
    await adjust(api, idOf(main), { charChange: 20 });
    const [row] = await entriesOf(idOf(main), '&only=operator');
    const { who, action } = await causeOf(row?.id ?? 0);
    expect(who).toMatchObject({ hand: 'operator', name: 'tester' });
    expect(action).toMatchObject({ operator: 'tester', reason: 'a test' });
  });

  it('is not found for an entry or a command that there is not', async () => {
    expect((await browser.get('/entries/999999999/cause')).body.code).toBe('NOT_FOUND');
    expect((await browser.get(`/commands/${uuid7()}`)).body.code).toBe('NOT_FOUND');
    const { cmdId, seq } = await newest(idOf(main));
    expect((await read<Response<typeof getCommand>>(`/commands/${cmdId}`)).entries).toMatchObject([{ seq }]);
  });

  it('is found by its key, and the search for kinds of entries ends', async () => {
    const explained = await api.db.query(
      'BEGIN; SET LOCAL enable_seqscan = off; EXPLAIN SELECT user_id, seq FROM account_log WHERE id = 5; ROLLBACK',
    );
    expect(JSON.stringify(explained)).toMatch(/Index Scan using account_log_\d\d_id_user_id_idx/);
    const { rows: out, oldestSeq } = await read<Response<typeof listEntries>>(
      `/accounts/${idOf(main)}/entries?only=out&limit=2`,
    );
    expect(out).toHaveLength(2);
    expect(oldestSeq).toBe(out[1]?.seq);
    expect(out.every((row) => row.charChangeNum < 0)).toBe(true);
  });
});

describe('the head of an account', () => {
  it('has the family, the main account first', async () => {
    const head = await read<Response<typeof getAccount>>(`/accounts/${idOf(subs[1])}`);
    expect(head).toMatchObject({ userId: idOf(subs[1]), role: 'sub', familySize: 3, closed: false });
    expect(head.family[0]).toMatchObject({ userId: idOf(main) });
    expect(head.family.reduce((sum, { entries }) => sum + entries, 0)).toBe(head.familyEntries);
    const { moment } = await read<Response<typeof getFamilyState>>(`/accounts/${idOf(main)}/family/state`);
    const { first } = await read<Response<typeof getAccount>>(`/accounts/${idOf(main)}`);
    expect([head.familyFirst, head.familyLast]).toEqual([first, moment]);
    expect((await browser.get('/accounts/999999')).body.code).toBe('NOT_FOUND');
  });
});

type Story = { id: number; userId: number; cmdId: string; char: number; ms: number };
const story = async (): Promise<Story[]> => {
  const { rows } = await api.db.query<Story>(
    `SELECT id, user_id AS "userId", cmd_id AS "cmdId", last_char AS char, (date_part('epoch', created_at) * 1000)::bigint AS ms
     FROM account_log WHERE family_id = $1 ORDER BY created_at, id`,
    [idOf(main)],
  );
  return rows.map((row) => ({
    ...row,
    id: Number(row.id),
    userId: Number(row.userId),
    char: Number(row.char),
    ms: Number(row.ms),
  }));
};

describe('a family', () => {
  it('is stepped by whole commands, and its sum never shows what is on its way', async () => {
    const all = await story();
    const commands = [...new Set(all.map(({ cmdId }) => cmdId))];
    let at = await read<Response<typeof getFamilyState>>(`/accounts/${idOf(subs[0])}/family/state`);
    expect(at).toMatchObject({ entries: all.length, entriesTotal: all.length, next: null });
    for (const cmdId of commands.toReversed()) {
      const until = all.slice(0, all.findLastIndex((entry) => entry.cmdId === cmdId) + 1);
      const last = new Map(until.map(({ userId, char }) => [userId, char]));
      expect(at.entryId).toBe(until.at(-1)?.id);
      expect(at.entries).toBe(until.length);
      expect(at.sum.charNum).toBe([...last.values()].reduce((sum, char) => sum + char, 0));
      for (const { userId, charNum } of at.members) expect(charNum).toBe(last.get(userId) ?? 0);
      if (at.previous === null) expect(cmdId).toBe(commands[0]);
      else {
        const before = await read<Response<typeof getFamilyState>>(
          `/accounts/${idOf(main)}/family/state?entry=${at.previous}`,
        );
        expect(all.find(({ id }) => id === before.next)?.cmdId).toBe(cmdId);
        at = before;
      }
    }
  });

  it('has a timeline whose sum is that of its members, and movements with both sides', async () => {
    const head = await read<Response<typeof getAccount>>(`/accounts/${idOf(main)}`);
    const [from, to] = [head.first?.slice(0, 19) ?? '', head.last?.slice(0, 19) ?? ''];
    const span = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;
    const line = await read<Response<typeof getFamilyTimeline>>(
      `/accounts/${idOf(main)}/family/timeline?${span}&points=20`,
    );
    expect(line.points).toHaveLength(20);
    expect(line.members[0]?.userId).toBe(idOf(main));
    for (const [i, { charNum }] of line.points.entries())
      expect(line.members.reduce((sum, { points }) => sum + (points[i]?.charNum ?? 0), 0)).toBe(charNum);
    const { rows } = await read<Response<typeof listFamilyMoves>>(
      `/accounts/${idOf(subs[0])}/family/moves?at=${encodeURIComponent(to)}`,
    );
    expect(rows.map(({ kind }) => kind)).toEqual(['automatic', 'byHand', 'byHand']);
    for (const { equal, from: gave, to: got, charNum } of rows) {
      expect(equal).toBe(true);
      expect(gave.before - gave.last).toBe(charNum);
      expect(got.last - got.before).toBe(charNum);
    }
    const found = await read<Response<typeof getFamilyDifference>>(`/accounts/${idOf(main)}/family/diff?${span}`);
    expect(found.members.reduce((sum, { charNum }) => sum + charNum, 0)).toBe(found.to.charNum - found.from.charNum);
  });

  it('refuses entries of others', async () => {
    const other = await makeMain(api);
    const { id } = await newest(idOf(other));
    expect((await browser.get(`/accounts/${idOf(main)}/family/state?entry=${id}`)).body.code).toBe('NOT_FOUND');
  });
});
