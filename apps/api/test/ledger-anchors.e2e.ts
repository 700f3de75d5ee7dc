/** Signed anchors: an audit that begins at them, what it finds, and what it leaves to a full one (docs/decisions/0067). */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { getAuditRun, getLedgerStatus } from '@yiqiao/contracts/operator/audits';
import { DAY_MS } from '@yiqiao/domain/limits';
import { auditLedger, type AuditOptions, type AuditResult, type Depth } from '../src/ledger/audit/audit.js';
import { type Batch, batchText } from '../src/ledger/audit/anchors.js';
import { CloseKeys } from '../src/ledger/closes/close-keys.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { nightlyDepth } from '../src/operators/audits/audit-runs.js';
import { NightlyTasks } from '../src/operators/today/nightly-tasks.js';
import { Clock } from '../src/platform/clock.js';
import { loadConfig } from '../src/platform/config.js';
import { closeDay, newSigningKey } from './support/closing.js';
import { adjust } from './support/family.js';
import { TestOperators } from './support/operators.js';
import { runCommand } from './support/run-command.js';
import { TamperFixture } from './support/tamper-fixture.js';
import { waitUntil } from './support/wait-until.js';
import { startWorker } from './support/worker.js';

const signingKey = newSigningKey();
let f: TamperFixture;
let operators: TestOperators;
let keys: CloseKeys;
/** The keys that a process with these settings has. */
const keysOf = (env: Record<string, string | undefined>): CloseKeys =>
  new CloseKeys(loadConfig({ ...f.api.env, ...env }));

const audit = (depth: Depth, options: AuditOptions = {}): Promise<AuditResult> =>
  auditLedger(f.api.db, { depth, anchors: { keys, store: f.api.db }, ...options });
const found = (depth: Depth, options: AuditOptions = {}): Promise<string[]> =>
  f.audited({ depth, anchors: { keys, store: f.api.db }, ...options });

type Anchor = { seq: number; usageSeq: number; state: string; batch: number };
async function anchorOf(userId: number): Promise<Anchor | null> {
  const { rows } = await f.api.db.query<Record<keyof Anchor, string>>(
    'SELECT seq, usage_seq AS "usageSeq", state, batch FROM account_anchor WHERE user_id = $1',
    [userId],
  );
  const [row] = rows;
  if (!row) return null;
  return { seq: Number(row.seq), usageSeq: Number(row.usageSeq), state: row.state, batch: Number(row.batch) };
}
const counted = async (sql: string): Promise<number> => {
  const { rows } = await f.api.db.query<{ n: string }>(`SELECT count(*) AS n FROM ${sql}`);
  return Number(rows[0]?.n);
};

beforeAll(async () => {
  f = await TamperFixture.open({ CLOSE_SIGNING_KEY: signingKey });
  operators = await TestOperators.start(f.api);
  keys = operators.app.get(CloseKeys, { strict: false });
  await closeDay(operators.app, 1);
  await f.rollUp();
  await f.keep();
});
afterEach(() => f.restore());
afterAll(async () => {
  await operators.stop();
  await f.close();
});

describe('an audit of any depth', () => {
  it('makes an anchor of each account at its entry in the newest close, and begins there the next time', async () => {
    const accounts = await counted('member_account WHERE entry_seq > 0');
    // Without an anchor nothing can be left out.
    const first = await audit('anchors');
    expect(first).toMatchObject({ difference: null, anchored: 0, entries: await counted('account_log') });
    expect(await counted('account_anchor')).toBe(accounts);
    expect(await anchorOf(f.members.translator)).toMatchObject({ seq: 4, usageSeq: 3 });
    const second = await audit('anchors');
    expect(second).toMatchObject({ difference: null, anchored: accounts, entries: 0, accounts: first.accounts });
    expect(second.orders).toBe(first.orders);
    expect(await audit('full')).toMatchObject({ difference: null, anchored: 0, entries: first.entries });
    // Anchors that are where they belong are not made again.
    expect(await counted('anchor_batch')).toBe(1);
  });

  it('reads what follows the anchor, and moves it with the closes', async () => {
    await audit('full');
    const { translator, main, sub, adjusted } = f.members;
    await f.translate(translator, 40);
    await adjust(f.api, adjusted, { charChange: 7 });
    await f.rollUp();
    const since = await audit('anchors');
    expect(since).toMatchObject({ difference: null, entries: 2 });
    expect(await anchorOf(translator)).toMatchObject({ seq: 4 });
    await closeDay(operators.app, 2);
    expect(await audit('anchors')).toMatchObject({ difference: null, entries: 2 });
    expect(await anchorOf(translator)).toMatchObject({ seq: 5, usageSeq: 4 });
    expect(await audit('anchors')).toMatchObject({ difference: null, entries: 0 });
    // The replays from the first entry and from the anchors come to the same states.
    expect(await found('full')).toEqual([]);
    for (const userId of [translator, main, sub]) expect(await anchorOf(userId)).not.toBeNull();
  });

  it('makes none of an account that differs, of one whose usage is not counted yet, or without a close', async () => {
    const { translator, stranger, buyer } = f.members;
    await f.sql(`UPDATE member_account SET usable_char_num = usable_char_num + 1 WHERE user_id = ${translator};
      DELETE FROM usage_mark WHERE user_id = ${stranger};
      UPDATE payment SET amount = 1 WHERE order_id = ${f.orders.paid}`);
    for (const depth of ['full', 'anchors'] as const) {
      await audit(depth);
      for (const userId of [translator, stranger, buyer])
        expect([userId, await anchorOf(userId)]).toEqual([userId, null]);
      expect(await anchorOf(f.members.adjusted)).not.toBeNull();
    }
    await f.restore();
    await f.sql('DELETE FROM close_leaf; DELETE FROM close_account; DELETE FROM ledger_close');
    await audit('full');
    expect(await counted('account_anchor')).toBe(0);
  });

  it('audits one account or family', async () => {
    const { main, sub, translator } = f.members;
    await audit('full', { scope: { userIds: [main, sub].toSorted((a, b) => a - b) } });
    expect(await counted('account_anchor')).toBe(2);
    const one = await audit('anchors', { scope: { userIds: [sub] } });
    expect(one).toMatchObject({ difference: null, accounts: 1, anchored: 1, entries: 0 });
    expect(await anchorOf(translator)).toBeNull();
  });
});

describe('an anchor is not relied on', () => {
  const accounts = (): Promise<number> => counted('member_account');

  it('of another time zone, or without a known key', async () => {
    await audit('full');
    const elsewhere = await audit('anchors', { timeZone: 'America/New_York' });
    expect(elsewhere).toMatchObject({ anchored: 0, accounts: await accounts() });
    await f.restore();
    await audit('full');
    const without = { keys: keysOf({ CLOSE_SIGNING_KEY: undefined }), store: f.api.db };
    const unknown = await audit('anchors', { anchors: without });
    expect(unknown).toMatchObject({ difference: null, anchored: 0, entries: await counted('account_log') });
  });

  it('whose batch another key has signed, or whose close was rewritten', async () => {
    await audit('full');
    const { rows } = await f.api.db.query(
      `SELECT id, close_n AS close, encode(close_hash, 'hex') AS "closeHash", time_zone AS "timeZone", size, encode(root, 'hex') AS root FROM anchor_batch`,
    );
    const forger = keysOf({ CLOSE_SIGNING_KEY: newSigningKey() }).signing;
    const publicKey = forger?.publicKey ?? '';
    const signature = forger?.sign(batchText({ ...(rows[0] as Batch), publicKey })) ?? '';
    await f.sql(
      `UPDATE anchor_batch SET public_key = decode('${publicKey}', 'hex'), signature = decode('${signature}', 'hex')`,
    );
    expect((await found('anchors'))[0]).toMatch(/^0#null anchors \d+: public key$/);
    await f.restore();
    await audit('full');
    await f.sql('UPDATE anchor_batch SET size = size + 1');
    expect((await found('anchors'))[0]).toMatch(/^0#null anchors \d+: signature$/);
  });
});

describe('whoever changes', () => {
  beforeAll(async () => {
    await audit('full');
    await f.keep();
  });
  const replaceState = (userId: number, from: string, to: string): Promise<void> =>
    f.sql(`UPDATE account_anchor SET state = replace(state, '${from}', '${to}') WHERE user_id = ${userId}`);

  it('the state of an anchor is found, and the account is read from its first entry', async () => {
    const { translator } = f.members;
    const before = await anchorOf(translator);
    expect(before?.state).toContain('"usedCharTotal":60');
    await replaceState(translator, '"usedCharTotal":60', '"usedCharTotal":59');
    await f.sql(`UPDATE member_account SET used_char_total = 59 WHERE user_id = ${translator}`);
    const all = await found('anchors');
    expect(all).toEqual([`${translator}#4 anchor`, `${translator}#null balance row: usedCharTotal`]);
    for (const depth of ['full', 'anchors'] as const) {
      await f.restore();
      await replaceState(translator, '"usedCharTotal":60', '"usedCharTotal":59');
      const { findings, entries } = await audit(depth);
      expect(findings).toMatchObject([{ userId: translator, seq: 4, field: 'anchor' }]);
      expect(entries).toBeGreaterThanOrEqual(4);
      // Reported once: what was altered is withdrawn, and the next audit makes it again.
      expect(await anchorOf(translator)).toBeNull();
      expect(await found(depth)).toEqual([]);
      expect(await anchorOf(translator)).toEqual({ ...before, batch: expect.any(Number) });
    }
  });

  it('its account, number, place or path is found', async () => {
    const { translator, adjusted } = f.members;
    for (const change of [
      'seq = 3',
      'usage_seq = 2',
      `usage_day = '2020-01-01'`,
      'place = place + 1',
      `path = '\\x'`,
    ]) {
      await f.sql(`UPDATE account_anchor SET ${change} WHERE user_id = ${translator}`);
      expect((await found('anchors'))[0]).toMatch(new RegExp(`^${translator}#[34] anchor$`));
      await f.restore();
    }
    await f.sql(`DELETE FROM account_anchor WHERE user_id = ${adjusted};
      UPDATE account_anchor SET user_id = ${adjusted} WHERE user_id = ${translator}`);
    expect(await found('anchors')).toEqual([`${adjusted}#4 anchor`]);
  });

  it('removes an anchor has its account read from the first entry', async () => {
    await f.sql(`DELETE FROM account_anchor WHERE user_id = ${f.members.translator}`);
    const all = await counted('account_anchor');
    expect(await audit('anchors')).toMatchObject({ difference: null, entries: 4, anchored: all });
    expect(await anchorOf(f.members.translator)).toMatchObject({ seq: 4 });
  });

  it('an entry before an anchor is found by a full audit alone', async () => {
    const { translator } = f.members;
    await f.sql(`UPDATE account_log SET used_char_num = 21 WHERE user_id = ${translator} AND seq = 3`);
    expect(await found('anchors')).toEqual([]);
    expect((await found('full'))[0]).toBe(`${translator}#3 hash`);
    await f.restore();
    await f.sql(`UPDATE translation_log SET word_count = 21 WHERE user_id = ${translator} AND entry_seq = 3`);
    expect(await found('anchors')).toEqual([]);
    expect(await found('full')).toEqual([`${translator}#3 words of the translation`]);
  });

  it('the entry of an anchor, or removes it, is found', async () => {
    const { translator } = f.members;
    await f.sql(`UPDATE account_log SET hash = sha256(hash) WHERE user_id = ${translator} AND seq = 4`);
    expect((await found('anchors'))[0]).toBe(`${translator}#4 anchor: hash of its entry`);
    await f.restore();
    await f.sql(`DELETE FROM account_log WHERE user_id = ${translator} AND seq = 4`);
    expect((await found('anchors'))[0]).toBe(`${translator}#4 anchor: hash of its entry`);
  });

  it('an entry after an anchor, its line, its usage, its movement or what it is linked to, is found', async () => {
    const { translator, adjusted, main } = f.members;
    await f.translate(translator, 40);
    await f.translate(translator, 50);
    await adjust(f.api, adjusted, { charChange: 7 });
    await f.rollUp();
    await f.keep();
    expect(await found('anchors')).toEqual([]);
    const [log, lines] = [`user_id = ${translator} AND seq`, `user_id = ${translator} AND usage_seq`];
    const CHANGES: [sql: string, first: string][] = [
      [`UPDATE account_log SET used_char_num = used_char_num - 1 WHERE ${log} = 5`, `${translator}#5 hash`],
      [`DELETE FROM account_log WHERE ${log} = 5`, `${translator}#6 seq`],
      [
        `UPDATE account_log SET seq = 99 WHERE ${log} = 5; UPDATE account_log SET seq = 5 WHERE ${log} = 6;
         UPDATE account_log SET seq = 6 WHERE ${log} = 99`,
        `${translator}#5 beforeCharNum`,
      ],
      [`UPDATE translation_log SET charged = 1 WHERE ${lines} = 4`, `${translator}#5 charge of the translation`],
      [`DELETE FROM translation_log WHERE ${lines} = 4`, `${translator}#5 line in the translation log`],
      [
        `UPDATE usage_day SET char_num = char_num + 1 WHERE user_id = ${translator}`,
        expect.stringMatching(new RegExp(`^${translator}#null usage of .*: characters`)) as unknown as string,
      ],
      [
        `DELETE FROM manager_action WHERE user_id = ${adjusted} AND cmd_id = (SELECT cmd_id FROM account_log WHERE user_id = ${adjusted} ORDER BY seq DESC LIMIT 1)`,
        `${adjusted}#3 reason of the adjustment`,
      ],
      [
        `UPDATE mailbox_gift SET char_num = char_num + 1 WHERE user_id = ${main} AND gift = 'trial'`,
        `${main}#1 gift of the mailbox (trial): charNum`,
      ],
      [`UPDATE member_account SET held_char_num = 5 WHERE user_id = ${main}`, `${main}#null held characters`],
    ];
    for (const [sql, first] of CHANGES) {
      await f.sql(sql);
      expect((await found('anchors'))[0]).toEqual(first);
      expect((await found('full'))[0]).toEqual(first);
      await f.restore();
    }
  });
});

describe('runs', () => {
  it('are started in either depth from the console, and make anchors in the role of the worker', async () => {
    const worker = await startWorker(f.api.env);
    const viewer = await operators.signIn(await operators.enrol('viewer-1', 'viewer'));
    const ended = async (body: object): Promise<Answer<typeof getAuditRun>> => {
      const started = await viewer.post('/audit-runs', body);
      const { id } = started.body.data as { id: number };
      const read = async (): Promise<Answer<typeof getAuditRun>> => (await viewer.get(`/audit-runs/${id}`)).body.data;
      return waitUntil(read, ({ finishedAt }) => finishedAt !== null);
    };
    try {
      const full = await ended({ scope: 'all' });
      expect(full).toMatchObject({ depth: 'full', state: 'whole', anchored: 0 });
      const anchors = await counted('account_anchor');
      expect(anchors).toBeGreaterThan(5);
      const since = await ended({ scope: 'all', depth: 'anchors' });
      expect(since).toMatchObject({ depth: 'anchors', state: 'whole', anchored: anchors, entries: 3, total: 3 });
      const account = { scope: 'account', userId: f.members.translator };
      expect(await ended({ ...account, depth: 'anchors' })).toMatchObject({ anchored: 1, entries: 2 });
      expect(await ended({ ...account, depth: 'full' })).toMatchObject({ anchored: 0, entries: 6 });
      const status = (await viewer.get('/ledger-status')).body.data as Answer<typeof getLedgerStatus>;
      expect(status).toMatchObject({ last: { id: since.id }, lastFull: { id: full.id } });

      // What only a full run can see stays until a full run no longer sees it.
      await f.sql(`UPDATE account_log SET used_char_num = 21 WHERE user_id = ${f.members.translator} AND seq = 3`);
      expect(await ended({ scope: 'all', depth: 'anchors' })).toMatchObject({ state: 'whole' });
      expect(await ended({ scope: 'all' })).toMatchObject({ state: 'different' });
      expect(await ended({ scope: 'all', depth: 'anchors' })).toMatchObject({ state: 'whole' });
      const later = (await viewer.get('/ledger-status')).body.data as Answer<typeof getLedgerStatus>;
      expect(later).toMatchObject({ last: { state: 'whole' }, lastFull: { state: 'different' } });
      const tasks = await operators.app
        .get(NightlyTasks, { strict: false })
        .read(operators.app.get(EntityManager).fork());
      expect(tasks.find(({ name }) => name === 'fullAudit')).toMatchObject({ state: 'differs', count: 1 });
    } finally {
      await worker.stop();
    }
  });

  it('of the night read everything when AUDIT_FULL_DAYS have passed, and until there are anchors', async () => {
    const [em, clock] = [operators.app.get(EntityManager).fork(), operators.app.get(Clock)];
    const config = loadConfig({ ...f.api.env, AUDIT_FULL_DAYS: '3' });
    const inDays = (days: number): string => clock.day(new Date(Date.now() + days * DAY_MS));
    const depths = (): Promise<Depth[]> =>
      Promise.all([0, 2, 3, 4].map((days) => nightlyDepth(em, inDays(days), { clock, config })));
    await f.sql('DELETE FROM account_anchor; DELETE FROM audit_run');
    expect(await depths()).toEqual(['full', 'full', 'full', 'full']);
    const run = `INSERT INTO audit_run (scope, state, depth, started_by, started_at, finished_at)`;
    await f.sql(`${run} VALUES ('all', 'whole', 'full', 'system', now(), now())`);
    expect(await depths()).toEqual(['full', 'full', 'full', 'full']);
    await audit('full');
    expect(await depths()).toEqual(['anchors', 'anchors', 'full', 'full']);
    await f.sql(`${run} VALUES ('all', 'whole', 'anchors', 'system', now(), now())`);
    expect(await depths()).toEqual(['anchors', 'anchors', 'full', 'full']);
    await f.sql(`UPDATE audit_run SET state = 'failed' WHERE depth = 'full'`);
    expect(await depths()).toEqual(['full', 'full', 'full', 'full']);
  });
});

it('the command line audits since the anchors, and says what that leaves out', async () => {
  const config = loadConfig({ ...f.api.env, LOG_LEVEL: 'silent' });
  const run = (language: string, ...args: string[]) =>
    runCommand(() => ledgerCommand(['audit', ...args], config), language);
  expect(await run('en_US.UTF-8')).toMatchObject({ code: 0 });
  const en = await run('en_US.UTF-8', '--since-anchors');
  expect(en.code).toBe(0);
  expect(en.out).toMatch(/Read since the anchors: the earlier entries of \d+ accounts rest on signatures/);
  const zh = await run('zh_CN.UTF-8', '--since-anchors');
  expect(zh.out).toMatch(/自锚点起核对：\d+ 个账号/);
  const { rows } = await f.api.db.query('SELECT depth, anchored > 0 AS used FROM audit_run ORDER BY id DESC LIMIT 3');
  expect(rows).toEqual([
    { depth: 'anchors', used: true },
    { depth: 'anchors', used: true },
    { depth: 'full', used: false },
  ]);
});
