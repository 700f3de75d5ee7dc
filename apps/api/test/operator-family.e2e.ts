/** A family moves between two installations, with its chain (docs/decisions/0069). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { saveTerm } from '@yiqiao/contracts/glossary';
import { login } from '@yiqiao/contracts/login';
import { listOrders, payOrder } from '@yiqiao/contracts/orders';
import { translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { listWebhooks, saveWebhook } from '@yiqiao/contracts/webhooks';
import { CELL_IDS } from '@yiqiao/domain/limits';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { VerifyCloses, VerifyClosesHandler } from '../src/ledger/closes/verify-closes.js';
import { MOVES, REBUILT, STAYS } from '../src/operator/family/tables.js';
import { PollGateway } from '../src/orders/poll-gateway.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { closeDay, newSigningKey } from './support/closing.js';
import { adjust, makeMain, makeSub } from './support/family.js';
import { runOperator, type Ran } from './support/operator.js';
import { charsOf, openOrder, onlyGateway, OrderFixture, orderOf, STANDARD_ORDER } from './support/orders.js';
import type { TestMember } from './support/test-members.js';
import { form } from './support/webhooks.js';

const KEY = randomBytes(32).toString('hex');

let fixture: OrderFixture;
let source: TestApi;
let target: TestApi;
let folder: string;
let main: TestMember;
let sub: TestMember;
let other: TestMember;
let waiting: number;

const at = (api: TestApi, ...args: string[]): Promise<Ran> => runOperator({ ...api.env, FAMILY_KEY: KEY }, args);
const file = (name: string): string => path.join(folder, name);
const idOf = (who: TestMember): number => who.session.userId;
/** The member in the other installation, signed in. */
const signedIn = async (api: TestApi, who: TestMember): Promise<TestMember> => {
  const session = await new TestClient(api.url).call(login, { account: who.username, password: who.password });
  return { ...who, session, client: new TestClient(api.url, session) };
};
const countOf = async (api: TestApi, table: string, where: string): Promise<number> =>
  Number((await api.db.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`)).rows[0]?.n);
const isWhole = async (api: TestApi): Promise<unknown[]> => (await auditLedger(api.db)).findings;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'family-'));
  fixture = await OrderFixture.open();
  source = fixture.api;
  target = await startApi(onlyGateway({ ...fixture.gateway.env, CLOSE_SIGNING_KEY: newSigningKey() }));
  expect(await at(target, 'family', 'cell', '1')).toMatchObject({ code: 0 });
  // A close before the family comes.
  expect(await at(target, 'ledger', 'close')).toMatchObject({ code: 0 });

  main = await makeMain(source);
  other = await makeMain(source);
  await fixture.buy(main);
  await adjust(source, idOf(main), { charChange: 500 });
  sub = await makeSub(source, main, 300);
  await main.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' });
  await sub.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头发' });
  await main.client.call(saveTerm, { source: 'zh', target: 'en', term: '译桥', translation: 'Yiqiao' });
  await main.client.call(saveWebhook, form('https://hooks.example.com/yiqiao'));
  waiting = await openOrder(source, main, { payChannel: 'ALI_NATIVE' });
});

afterAll(async () => {
  await target.stop();
  await fixture.close();
  await rm(folder, { recursive: true });
});

it('every table is in the list, once', async () => {
  const { rows } = await source.db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND NOT relispartition AND relname <> 'mikro_orm_migrations' ORDER BY relname`,
  );
  const listed = [MOVES, REBUILT, STAYS].flatMap((list) => Object.keys(list)).sort();
  expect(listed).toEqual(rows.map(({ name }) => name).sort());
});

describe('a family', () => {
  let before: { main: number; sub: number };
  let receipt: string;

  it('is refused while it cannot be proven or sealed', async () => {
    expect(await runOperator(source.env, ['family', 'export', String(idOf(main)), '--to', file('x')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('FAMILY_KEY is missing') as unknown,
    });
    const nobody = await at(source, 'family', 'export', '999999', '--to', file('x'));
    expect(nobody).toMatchObject({ code: 1, err: 'There is no family 999999.\n' });
    await expect(readFile(file('x'))).rejects.toThrow('ENOENT');
  });

  it('is exported, and read-only for money from then on', async () => {
    before = { main: await charsOf(main), sub: await charsOf(sub) };
    const done = await at(source, 'family', 'export', String(idOf(main)), '--to', file('one'));
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(done.out).toMatch(/^Family \d+: 2 accounts, \d+ rows in /);
    const text = { source: 'zh-Hans', target: 'zh-Hant', text: '头发' };
    expect(await main.client.send(translateText, text)).toMatchObject({ body: { code: 'LEDGER_READ_ONLY' } });
    expect(await main.client.send(payOrder, STANDARD_ORDER)).toMatchObject({ body: { code: 'LEDGER_READ_ONLY' } });
    expect((await main.client.call(getUser, {})).memberAccount.usableCharNum).toBe(before.main);
    expect(await at(source, 'family', 'export', String(idOf(main)), '--to', file('two'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('is moving already') as unknown,
    });
  });

  it('is in a file that shows nothing, and is refused with another key or altered anywhere', async () => {
    const sealed = await readFile(file('one'));
    for (const word of [main.username, main.account, 'account_log']) expect(sealed.includes(word)).toBe(false);
    const wrong = await runOperator({ ...target.env, FAMILY_KEY: KEY.replaceAll(/./g, '1') }, [
      'family',
      'import',
      file('one'),
    ]);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('The wrong FAMILY_KEY') as unknown });
    for (const [name, change] of [
      ['bit', (bytes: Buffer) => void (bytes[bytes.length - 300] = (bytes[bytes.length - 300] ?? 0) ^ 1)],
      ['id', (bytes: Buffer) => void (bytes[8] = bytes[8] === 0x61 ? 0x62 : 0x61)],
      ['mark', (bytes: Buffer) => void (bytes[0] = 0)],
    ] as const) {
      const altered = Buffer.from(sealed);
      change(altered);
      await writeFile(file(name), altered);
      expect(await at(target, 'family', 'import', file(name))).toMatchObject({
        code: 1,
        err: expect.stringMatching(/damaged, altered or cut short|is no file of a family/) as unknown,
      });
    }
    await writeFile(file('cut'), sealed.subarray(0, sealed.length - 1));
    expect(await at(target, 'family', 'import', file('cut'))).toMatchObject({ code: 1 });
    expect(await countOf(target, 'member', 'true')).toBe(0);
  });

  it('is refused where its ids or names are taken, and nothing of it stays', async () => {
    const rival = await startApi();
    const stranger = await makeMain(rival);
    const taken = await at(rival, 'family', 'import', file('one'));
    expect(taken).toMatchObject({ code: 1 });
    expect(taken.err).toMatch(/There is a member \d+ \(id\) here already, so nothing was imported/);
    expect(await countOf(rival, 'member', `id <> ${idOf(stranger)}`)).toBe(0);
    await rival.stop();

    const fresh = await startApi();
    const later = await at(fresh, 'family', 'import', file('one'));
    expect(later).toMatchObject({
      code: 1,
      err: expect.stringContaining("within this installation's own ids") as unknown,
    });
    expect(await countOf(fresh, 'member', 'true')).toBe(0);
    await fresh.stop();
  });

  it('is imported: the audit is clean, and its members sign in and find everything', async () => {
    // Paid after the export: the gateway tells only the installation that the order came from.
    const { no, amount } = await orderOf(source, waiting);
    fixture.gateway.pay(no, amount);
    const done = await at(target, 'family', 'import', file('one'));
    expect(done).toMatchObject({ code: 0, err: '' });
    expect(done.out).toMatch(/its \d+ entries are whole, and its members can sign in/);
    receipt = /--receipt ([0-9a-f]{20})/.exec(done.out)?.[1] ?? '';
    expect(receipt).toHaveLength(20);

    const [there, child] = [await signedIn(target, main), await signedIn(target, sub)];
    expect(there.session.userId).toBe(idOf(main));
    expect({ main: await charsOf(there), sub: await charsOf(child) }).toEqual(before);
    const page = { pageNum: '1', pageSize: '100' };
    const [logsHere, logsThere] = [
      await main.client.call(listAccountLogs, page),
      await there.client.call(listAccountLogs, page),
    ];
    expect(logsThere.rows.map(({ id: _, ...row }) => row)).toEqual(logsHere.rows.map(({ id: _, ...row }) => row));
    const ordersOf = async (who: TestMember) => (await who.client.call(listOrders, page)).rows.map(({ id }) => id);
    expect(await ordersOf(there)).toEqual(await ordersOf(main));
    const webhooksOf = async (who: TestMember) =>
      (await who.client.call(listWebhooks, {})).rows.map(({ id: _, ...row }) => row);
    expect(await webhooksOf(there)).toEqual(await webhooksOf(main));
    expect(await countOf(target, 'glossary_term', `family_id = ${idOf(main)}`)).toBe(1);
    expect(await countOf(target, 'login_log', `user_id = ${idOf(main)}`)).toBe(2);
    expect(await isWhole(target)).toEqual([]);
    expect(await isWhole(source)).toEqual([]);
    const hashes = (api: TestApi) =>
      api.db.query(`SELECT user_id, encode(head_hash, 'hex') FROM member_account WHERE family_id = $1 ORDER BY 1`, [
        idOf(main),
      ]);
    expect((await hashes(target)).rows).toEqual((await hashes(source)).rows);
  });

  it('does not lose the order that was paid in between: the new installation asks the gateway', async () => {
    const { rows } = await target.db.query<{ fact: { type: string; orderId: number } }>(
      `SELECT fact FROM outbox WHERE fact->>'type' = 'OrderPlaced'`,
    );
    expect(rows.map(({ fact }) => fact.orderId)).toEqual([waiting]);
    await target.app.get(CommandBus).execute(new PollGateway(waiting, 0));
    const there = await signedIn(target, main);
    expect(await charsOf(there)).toBeGreaterThan(before.main);
    expect(await orderOf(target, waiting)).toMatchObject({ payStatus: 'P' });
    expect(await orderOf(source, waiting)).toMatchObject({ payStatus: 'W' });
    expect(await isWhole(target)).toEqual([]);
  });

  it('goes on there: it translates, new members get ids of the cell, and the next close takes it in', async () => {
    const there = await signedIn(target, main);
    await there.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头发' });
    const born = await makeMain(target);
    expect(idOf(born)).toBeGreaterThan(CELL_IDS);
    expect(await isWhole(target)).toEqual([]);
  });

  it('is refused a second time', async () => {
    expect(await at(target, 'family', 'import', file('one'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('was imported from this file before') as unknown,
    });
    expect(await isWhole(target)).toEqual([]);
  });

  it('has moved once the receipt is given where it came from: nobody signs in there any more', async () => {
    const confirm = (code: string): Promise<Ran> =>
      at(source, 'family', 'moved', String(idOf(main)), '--receipt', code);
    expect(await confirm('0'.repeat(20))).toMatchObject({ code: 1 });
    expect((await main.client.send(getUser, {})).status).toBe(200);
    expect(await confirm(receipt)).toMatchObject({ code: 0, err: '' });
    expect(
      (await new TestClient(source.url).send(login, { account: main.username, password: main.password })).status,
    ).not.toBe(200);
    expect(await at(source, 'family', 'keep', String(idOf(main)), '--reason', 'x')).toMatchObject({ code: 1 });
    expect(await isWhole(source)).toEqual([]);
    const { rows } = await source.db.query(
      `SELECT action FROM operator_action WHERE target_id = $1 AND action LIKE 'family.%' ORDER BY n`,
      [String(idOf(main))],
    );
    expect(rows).toEqual([{ action: 'family.export' }, { action: 'family.moved' }]);
  });

  it('stays when the export is given up, and goes on as before', async () => {
    const id = String(idOf(other));
    expect(await at(source, 'family', 'export', id, '--to', file('other'))).toMatchObject({ code: 0 });
    expect(await at(source, 'family', 'keep', id, '--reason', 'not now')).toMatchObject({ code: 0 });
    const answer = await other.client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头发' });
    expect(answer.charged).toBe(2);
    expect(await isWhole(source)).toEqual([]);
  });
});

it('the first close after it has the accounts of the family, and the ones before it are still whole', async () => {
  const app = await target.commandLine();
  expect(await countOf(target, 'close_account', `user_id = ${idOf(main)}`)).toBe(0);
  expect(await countOf(target, 'ledger_close', 'true')).toBe(1);
  expect(await closeDay(app, 1)).toHaveLength(1);
  expect(await countOf(target, 'close_account', `user_id IN (${idOf(main)}, ${idOf(sub)})`)).toBe(2);
  const verified = await app.get(VerifyClosesHandler, { strict: false }).execute(new VerifyCloses('all'));
  expect(verified).toMatchObject({ closes: 2, differences: [] });
});
