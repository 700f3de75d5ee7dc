/**
 * Twelve attacks of a malicious database administrator, with triggers off: each is found and named, by the audit of the database or, where
 * every row agrees, by the signed closes and their witnesses (operators §7). With the anchors, which are signed too, a full audit finds all
 * of them, and one since the anchors all but those on entries before an anchor (docs/decisions/0067).
 */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EntityManager } from '@mikro-orm/postgresql';
import { listPublicCloses } from '@yiqiao/contracts/closes';
import { getClose, listCloses, verifyClose } from '@yiqiao/contracts/operator/closes';
import { closeMessage } from '@yiqiao/domain/closes';
import { chromium } from 'playwright-core';
import type { Depth } from '../src/ledger/audit/audit.js';
import { AnchorClosesHandler } from '../src/ledger/closes/anchor-closes.js';
import { CloseKeys } from '../src/ledger/closes/close-keys.js';
import { GetSeal, GetSealHandler } from '../src/ledger/closes/get-seal.js';
import { publicRow, readCloses } from '../src/ledger/closes/close-rows.js';
import { VerifyCloses, VerifyClosesHandler } from '../src/ledger/closes/verify-closes.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { ledgerVerifyCloses } from '../src/operator/closes.js';
import { asOperator } from '../src/operator/operator-app.js';
import { loadConfig } from '../src/platform/config.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { closeDay, newSigningKey } from './support/closing.js';
import { TestOperators } from './support/operators.js';
import { runCommand } from './support/run-command.js';
import { rechargeAfter, TamperFixture } from './support/tamper-fixture.js';
import { stubServer } from './support/stub-server.js';

const privateKey = newSigningKey();

const browserPath = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium'].find((file) => file && existsSync(file)) ?? '';

let f: TamperFixture;
let operators: TestOperators;
let witness: Awaited<ReturnType<typeof stubServer>>;
/** What the witness keeps. */
const kept: unknown[] = [];
let refuses = false;
let unreachable = false;
/** In the operators' role, as the worker works. */
const em = (): EntityManager => operators.app.get(EntityManager).fork();

beforeAll(async () => {
  witness = await stubServer(({ method, body }) => {
    if (unreachable || (refuses && method === 'POST')) return { status: 503 };
    if (method === 'POST') kept.push(JSON.parse(body));
    return { body: JSON.stringify(kept) };
  });
  f = await TamperFixture.open({ CLOSE_SIGNING_KEY: privateKey, CLOSE_ANCHOR_URLS: witness.url });
  operators = await TestOperators.start(f.api);
  await operators.enrol('owner-1', 'owner');
  expect(await closeDay(operators.app, 1)).toHaveLength(1);
  refuses = true;
  expect(await anchor()).toBe(0);
  refuses = false;
  // A witness that refused is tried again after a minute.
  expect(await anchor()).toBe(0);
  await f.api.db.query(`UPDATE close_anchor SET tried_at = now() - interval '61 seconds'`);
  expect(await anchor()).toBe(1);
  expect(await closeDay(operators.app, 2)).toHaveLength(1);
  expect(await anchor()).toBe(1);
  // Their anchors are made by an audit that finds everything whole.
  await f.rollUp();
  expect(await auditedWith('full')).toEqual([]);
  await f.keep();
});
afterEach(() => f.restore());
afterAll(async () => {
  await operators.stop();
  await f.close();
  await witness.close();
});

const anchor = (): Promise<number> => operators.app.get(AnchorClosesHandler, { strict: false }).execute();
const auditedWith = (depth: Depth): Promise<string[]> =>
  f.audited({ depth, anchors: { keys: operators.app.get(CloseKeys, { strict: false }), store: f.api.db } });
const verified = (which: 'all' | { date?: string } = 'all') =>
  operators.app.get(VerifyClosesHandler, { strict: false }).execute(new VerifyCloses(which));

const deleteAccount = async (userId: number, also = ''): Promise<void> => {
  const { rows } = await f.api.db.query<{ t: string; c: string }>(
    `SELECT quote_ident(c.table_name) AS t, c.column_name AS c FROM information_schema.columns c
     JOIN information_schema.tables t USING (table_schema, table_name) WHERE table_schema = 'public'
       AND t.table_type = 'BASE TABLE' AND column_name IN ('user_id', 'family_id') AND table_name NOT LIKE 'close%'`,
  );
  await f.sql(`${rows.map(({ t, c }) => `DELETE FROM ${t} WHERE ${c} = ${userId}`).join('; ')};
    DELETE FROM member WHERE id = ${userId}; ${also}`);
};

const lowerCharge = async (): Promise<void> => {
  await f.tamper(f.members.translator, 3, (entry) => void (entry.charChange = -1));
  await f.sql(`UPDATE translation_log SET charged = 1 WHERE user_id = ${f.members.translator} AND entry_seq = 3`);
};

/** Rewrites the last close with a stolen key. */
async function resign(): Promise<void> {
  const last = (await readCloses(em(), 'ORDER BY n DESC LIMIT 1'))[0];
  if (!last) throw new Error('no close');
  const forged = { ...publicRow(last), root: '11'.repeat(32) };
  const signature = sign(null, Buffer.from(closeMessage(forged)), createPrivateKey(privateKey)).toString('hex');
  await f.sql(
    `UPDATE ledger_close SET root = decode('${forged.root}', 'hex'), signature = decode('${signature}', 'hex') WHERE n = ${last.number}`,
  );
}

/** By the audit: `account#entry field`; by the closes: the account, or null for a close, and what differs. */
type Named = () => RegExp;
/** `since`: whether an audit since the anchors finds it. `signed`: how it is named by audits with the anchors, if otherwise. */
type Attack = [
  attack: string,
  by: 'audit' | 'closes',
  since: 'found' | 'missed',
  tamper: () => Promise<unknown>,
  named: Named,
  signed?: Named,
];
const at = (userId: () => number, rest: string) => () => new RegExp(`^${userId()}#${rest}`, 'm');

const ATTACKS: Attack[] = [
  [
    'changes a digit of an entry',
    'audit',
    'missed',
    () =>
      f.sql(
        `UPDATE account_log SET used_char_num = used_char_num - 1 WHERE user_id = ${f.members.translator} AND seq = 3`,
      ),
    at(() => f.members.translator, '3 hash'),
  ],
  [
    'deletes an entry',
    'audit',
    'missed',
    () => f.sql(`DELETE FROM account_log WHERE user_id = ${f.members.translator} AND seq = 3`),
    at(() => f.members.translator, '4 seq'),
  ],
  [
    'inserts an entry with a valid chain tail',
    'audit',
    'found',
    () => f.add(f.members.stranger, (last) => rechargeAfter(last, null)),
    at(() => f.members.stranger, '2 RECHARGE'),
  ],
  [
    'swaps two entries',
    'audit',
    'missed',
    () =>
      f.sql(
        [
          [2, 99],
          [3, 2],
          [99, 3],
        ]
          .map(
            ([from, to]) =>
              `UPDATE account_log SET seq = ${to} WHERE user_id = ${f.members.translator} AND seq = ${from}`,
          )
          .join('; '),
      ),
    at(() => f.members.translator, '2 before'),
  ],
  [
    'changes a balance',
    'audit',
    'found',
    () =>
      f.sql(`UPDATE member_account SET usable_char_num = usable_char_num + 1 WHERE user_id = ${f.members.translator}`),
    at(() => f.members.translator, 'null balance row: charNum'),
  ],
  [
    'changes an order',
    'audit',
    'found',
    () => f.sql(`UPDATE recharge_order SET sale_price = 1, amount = 1 WHERE id = ${f.orders.paid}`),
    at(() => f.members.buyer, '.* recharge: amount'),
  ],
  [
    'changes a payment',
    'audit',
    'found',
    () => f.sql(`UPDATE payment SET amount = 1 WHERE order_id = ${f.orders.paid}`),
    at(() => f.members.buyer, '.* payment alipay .*: amount'),
  ],
  [
    'changes an action row',
    'audit',
    'found',
    () =>
      f.sql(`UPDATE operator_action SET body = replace(body, 'owner-1', 'owner-2')
        WHERE n = (SELECT min(n) FROM operator_action WHERE body LIKE '%owner-1%')`),
    () => /^0#null action \d+: hash/m,
  ],
  [
    'cuts the tail of an account and mends its balance',
    'closes',
    'found',
    async () => {
      await f.drop(f.members.translator, ({ seq }) => seq === 4);
      await f.sql(`DELETE FROM translation_log WHERE user_id = ${f.members.translator} AND entry_seq = 4;
        UPDATE member_account SET usage_seq = 2 WHERE user_id = ${f.members.translator};
        UPDATE usage_mark SET rolled_seq = 3 WHERE user_id = ${f.members.translator};
        UPDATE usage_day SET char_num = char_num - 30 WHERE user_id = ${f.members.translator};
        UPDATE family_usage_day SET char_num = char_num - 30 WHERE family_id = ${f.members.translator}`);
    },
    at(() => f.members.translator, '4 .* hash of the entry'),
    at(() => f.members.translator, '4 anchor: hash of its entry'),
  ],
  [
    'removes an account whole',
    'closes',
    'found',
    () => deleteAccount(f.members.adjusted),
    at(() => f.members.adjusted, '2 .* hash of the entry'),
    at(() => f.members.adjusted, 'null account in the closes'),
  ],
  [
    'rewrites an account with a recomputed chain',
    'closes',
    'found',
    lowerCharge,
    at(() => f.members.translator, '4 .* hash of the entry'),
    at(() => f.members.translator, '4 anchor: hash of its entry'),
  ],
  [
    'rewrites a close, signed with the stolen key',
    'closes',
    'found',
    resign,
    () => /^null#null \S+ copy of http/m,
    () => /^0#null anchors \d+: close 2: hash/m,
  ],
];

const named = (rows: { account: number | null; seq: number | null; what: string }[]): string =>
  rows.map(({ account, seq, what }) => `${account}#${seq} ${what}`).join('\n');

describe('an administrator who', () => {
  it('changes nothing is not accused', async () => {
    expect(await f.audited()).toEqual([]);
    expect(await verified()).toMatchObject({ whole: true, closes: 2, witnesses: 1, unanswered: [], differences: [] });
  });

  it.each(ATTACKS)('%s is found by the %s', async (_, by, _since, tamper, expected) => {
    await tamper();
    if (by === 'audit') {
      expect((await f.audited()).join('\n')).toMatch(expected());
      return;
    }
    expect(await f.audited()).toEqual([]);
    const all = await verified();
    expect(named(all.differences)).toMatch(expected());
    // The newest close alone leads to the same account.
    expect(named((await verified({})).differences)).toMatch(expected());
  });

  it.each(ATTACKS)(
    '%s (by the %s) is %s by an audit since the anchors, and found by the next full one',
    async (...attack) => {
      const [, , since, tamper, expected, signed = expected] = attack;
      await tamper();
      const found = (await auditedWith('anchors')).join('\n');
      if (since === 'found') expect(found).toMatch(signed());
      else expect(found).toBe('');
      expect((await auditedWith('full')).join('\n')).toMatch(signed());
    },
  );
});

it('an adjustment made up with its reason is missing in the action log', async () => {
  const [userId, cmdId] = [f.members.stranger, uuid7()];
  await f.sql(`INSERT INTO manager_action (cmd_id, manager_id, user_id, family_id, reason)
    SELECT '${cmdId}', manager_id, ${userId}, ${userId}, 'an outage' FROM manager_action WHERE user_id = ${f.members.adjusted} LIMIT 1`);
  const { rows } = await f.api.db.query<{ id: number }>(
    'SELECT manager_id AS id FROM manager_action WHERE cmd_id = $1',
    [cmdId],
  );
  const managerId = Number(rows[0]?.id);
  await f.add(userId, () => ({ type: 'SYS_ADJUST', charChange: 1_000, cmdId, managerId, createdAt: Date.now() }));
  expect(await f.audited()).toEqual([`${userId}#2 account of the adjustment in the action log`]);
});

describe('the closes', () => {
  it('name an account although its leaves were rewritten with it', async () => {
    await lowerCharge();
    await f.sql(`UPDATE close_leaf SET head = (SELECT hash FROM account_log e WHERE e.user_id = close_leaf.user_id AND e.seq = close_leaf.seq)
      WHERE user_id = ${f.members.translator}`);
    expect(named((await verified()).differences)).toMatch(at(() => f.members.translator, '4 .* hash of the entry')());
  });

  it('miss an account although its leaves were removed with it', async () => {
    const { rows } = await f.api.db.query<{ leaf: number }>(
      `SELECT leaf FROM close_account WHERE user_id = ${f.members.adjusted}`,
    );
    const gone = ['close_leaf', 'close_account'].map(
      (table) => `DELETE FROM ${table} WHERE user_id = ${f.members.adjusted}`,
    );
    await deleteAccount(f.members.adjusted, gone.join('; '));
    expect(named((await verified()).differences)).toContain(`account of leaf ${rows[0]?.leaf}`);
  });

  it('show a changed root by their signature, and a removed close by the witness', async () => {
    await f.sql(`UPDATE ledger_close SET entries = entries + 1 WHERE n = 1`);
    expect(named((await verified()).differences)).toMatch(/signature/);
    await f.restore();
    await f.sql(
      'DELETE FROM close_anchor WHERE n = 2; DELETE FROM close_leaf WHERE n = 2; DELETE FROM ledger_close WHERE n = 2',
    );
    expect((await verified()).differences).toEqual([
      expect.objectContaining({ found: 'none', what: expect.stringContaining('copy of') }),
    ]);
  });

  it('show a payment whose every record was changed, and a cut action log', async () => {
    const { rows } = await f.api.db.query<{ id: number }>(`SELECT id FROM payment WHERE order_id = ${f.orders.paid}`);
    await f.sql(`UPDATE payment SET trade_no = 'ANOTHER' WHERE order_id = ${f.orders.paid}`);
    expect(await f.audited()).toEqual([]);
    expect(named((await verified()).differences)).toContain(`payment ${rows[0]?.id}`);
    await f.restore();
    await f.sql('DELETE FROM operator_action WHERE n >= (SELECT max(n) - 1 FROM operator_action)');
    expect(await f.audited()).toEqual([]);
    expect(named((await verified()).differences)).toMatch(/action \d+/);
  });

  it('are trusted by configured keys alone, and a silent witness is said to be one', async () => {
    const other = generateKeyPairSync('ed25519');
    const x = Buffer.from(other.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex');
    const last = (await readCloses(em(), 'ORDER BY n DESC LIMIT 1'))[0];
    if (!last) throw new Error('no close');
    const forged = { ...publicRow(last), publicKey: x };
    const signature = sign(null, Buffer.from(closeMessage(forged)), other.privateKey).toString('hex');
    await f.sql(
      `UPDATE ledger_close SET public_key = decode('${x}', 'hex'), signature = decode('${signature}', 'hex') WHERE n = ${last.number}`,
    );
    unreachable = true;
    const { differences, unanswered } = await verified();
    unreachable = false;
    expect(named(differences)).toMatch(/public key/);
    expect(unanswered).toEqual([witness.url]);
  });

  it('are read over HTTP, made by the system, and checked by any operator', async () => {
    const browser = await operators.signIn(await operators.enrol('viewer-1', 'viewer'));
    const { rows } = listCloses.response.parse((await browser.get('/closes')).body.data);
    expect(rows.map(({ number, keyKnown, witnesses }) => [number, keyKnown, witnesses[0]?.state])).toEqual([
      [2, true, 'anchored'],
      [1, true, 'anchored'],
    ]);
    const date = rows[1]?.date ?? '';
    const one = getClose.response.parse((await browser.get(`/closes/${date}`)).body.data);
    expect(one).toMatchObject({ number: 1, difference: { charNum: 0, voiceNum: 0, imageNum: 0, amount: 0 } });
    expect(one.lines.find(({ key }) => key === 'paid')?.amount).toBe(17_600);
    const checked = verifyClose.response.parse((await browser.post('/closes/verify', { date })).body.data);
    expect(checked).toMatchObject({ whole: true, date, accounts: one.accounts, witnesses: 1 });
    const seen = await fetch(`${f.api.url}/client-user/ledger/closes?pageNum=1&pageSize=1`);
    const list = listPublicCloses.response.parse(((await seen.json()) as { data: unknown }).data);
    expect(list).toMatchObject({ total: 2, rows: [{ number: 2, previous: one.hash }] });
    const { rows: actions } = await f.api.db.query<{ actor: string; id: string }>(
      `SELECT actor, target_id AS id FROM operator_action WHERE action = 'close.make' ORDER BY n`,
    );
    expect(actions).toEqual([one, rows[0]].map((close) => ({ actor: 'system', id: close?.date })));
  });

  it('are checked by the command line, which names the account', async () => {
    const config = loadConfig({ ...f.api.env, LOG_LEVEL: 'silent' });
    const run = () => runCommand(() => asOperator(config, () => ledgerVerifyCloses([])), 'en_US.UTF-8');
    expect(await run()).toMatchObject({ code: 0, out: expect.stringMatching(/^All 2 closes match the ledger/) });
    await lowerCharge();
    expect(await run()).toMatchObject({
      code: 1,
      out: expect.stringMatching(
        new RegExp(`DIFFERENCE account ${f.members.translator}, entry 4: .* hash of the entry`),
      ),
    });
  });
});

describe('the close that seals an entry', () => {
  const sealOf = async (userId: number, seq: number) =>
    (await operators.app.get(GetSealHandler, { strict: false }).execute(new GetSeal({ userId, seq }))).seal;

  it('is the first that includes it, with its witnesses; none until the day is over', async () => {
    const { translator } = f.members;
    const [first] = await readCloses(em(), 'ORDER BY n');
    const expected = { date: first?.date, root: first?.root, same: true, witnesses: 1, anchored: 1 };
    const last = (await sealOf(translator, 1))?.seq ?? 0;
    expect(await sealOf(translator, 1)).toEqual({ ...expected, seq: last });
    expect(await sealOf(translator, last)).toEqual({ ...expected, seq: last });
    expect(await sealOf(translator, last + 1)).toBeNull();
    expect(await sealOf(999_999, 1)).toBeNull();
  });

  it('tells an entry that was changed from a chain that was computed anew', async () => {
    const { translator } = f.members;
    await f.sql(
      `UPDATE account_log SET char_change = char_change - 1, last_char = last_char - 1 WHERE user_id = ${translator} AND seq = 3`,
    );
    expect(await sealOf(translator, 3)).toMatchObject({ same: true });
    await f.restore();
    await lowerCharge();
    expect(await sealOf(translator, 3)).toMatchObject({ same: false });
    await f.restore();
    await f.sql('UPDATE ledger_close SET changed = changed || changed');
    expect(await sealOf(translator, 3)).toMatchObject({ same: false });
  });
});

describe('an exported account', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'inclusion-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  type Export = { accountKey: string; closes: { date: string; root: string; leaf: { path: string[] } | null }[] };

  const exported = async (name: string): Promise<string> => {
    const file = path.join(folder, `${name}.json`);
    const config = loadConfig({ ...f.api.env, LOG_LEVEL: 'silent' });
    const args = ['verify-export', String(f.members.translator), '--out', file];
    expect(await runCommand(() => ledgerCommand(args, config))).toMatchObject({ code: 0 });
    return file;
  };

  (browserPath ? it : it.skip)('is in the last two closes, as the offline page verifies', async () => {
    const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
    const page = await browser.newPage({ locale: 'en-US', offline: true });
    const verdictOf = async (file: string): Promise<string> => {
      await page.goto(pathToFileURL(path.resolve(import.meta.dirname, '../../../docs/verify.html')).href);
      await page.setInputFiles('#file', file);
      await page.waitForSelector('#verdict:is(.whole, .difference, .unreadable)');
      return (await page.textContent('#verdict')) ?? '';
    };
    const good = await exported('good');
    const [before, last] = (await readCloses(em(), 'ORDER BY n')).map(({ date, root }) => ({ date, root }));
    const verdict = await verdictOf(good);
    expect(verdict).toContain(
      `closes of ${before?.date} and ${last?.date} follow one another and include this account`,
    );
    expect(verdict).toContain(`with a valid signature`);
    expect(verdict).toContain(`Merkle root ${last?.root}`);

    const tampered = async (edit: (file: Export) => void): Promise<string> => {
      const file = JSON.parse(readFileSync(good, 'utf8')) as Export;
      edit(file);
      const to = path.join(folder, 'tampered.json');
      writeFileSync(to, JSON.stringify(file));
      return verdictOf(to);
    };
    expect(await tampered((file) => (file.accountKey = 'ab'.repeat(32)))).toContain(
      `Difference: the close of ${before?.date}, root`,
    );
    expect(await tampered(({ closes }) => closes[1]?.leaf?.path.pop())).toContain(`the close of ${last?.date}, root`);
    expect(await tampered(({ closes }) => void (closes[1] && (closes[1].root = '00'.repeat(32))))).toContain('hash');
    expect(await tampered(({ closes }) => void (closes[1] && (closes[1].leaf = null)))).toContain('leaf');

    // The chain of a rewritten account is whole in itself, and contradicts the close.
    await lowerCharge();
    expect(await verdictOf(await exported('rewritten'))).toContain(`Difference: the close of ${before?.date}, root`);
    await browser.close();
  });
});
