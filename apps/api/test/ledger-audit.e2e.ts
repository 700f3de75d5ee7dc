import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { loadConfig } from '../src/platform/config.js';
import { APP_ROLE } from '../src/platform/database.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { createLedgerFixture, usage, type LedgerFixture } from './support/ledger-fixture.js';

describe('the audit', () => {
  let fixture: LedgerFixture;
  let userId: number;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
    await fixture.member({ charChange: 3 });
    userId = await fixture.member({ charChange: 1000, voiceChange: 4 });
    for (let n = 1; n <= 8; n++) {
      const to = { id: uuid7(), userId, familyId: userId };
      await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: n } });
      if (n === 5) await fixture.ledger.release({ ...to, usage });
      else if (n < 8) await fixture.ledger.settle({ ...to, usage });
    }
    await fixture.member({ charChange: 4 });
  });
  afterAll(() => fixture.drop());

  const audit = async (): Promise<string> => {
    const { difference: d } = await auditLedger(fixture.owner);
    return d ? `${d.userId === userId ? '' : `account ${d.userId} `}#${d.seq} ${d.field}` : 'whole';
  };

  /** Makes a superuser's change, audits, and undoes it. */
  const tampered = async (sql: string): Promise<string> => {
    await fixture.owner.query('CREATE TABLE kept_log AS SELECT * FROM account_log');
    await fixture.owner.query('CREATE TABLE kept_usage AS SELECT * FROM translation_log');
    await fixture.owner.query('CREATE TABLE kept_account AS SELECT * FROM member_account');
    await fixture.owner.query(`SET session_replication_role = replica; ${sql}; RESET session_replication_role`);
    const found = await audit();
    await fixture.owner.query(`SET session_replication_role = replica;
      DELETE FROM account_log; INSERT INTO account_log OVERRIDING SYSTEM VALUE SELECT * FROM kept_log; DROP TABLE kept_log;
      DELETE FROM translation_log; INSERT INTO translation_log OVERRIDING SYSTEM VALUE SELECT * FROM kept_usage; DROP TABLE kept_usage;
      DELETE FROM member_account; INSERT INTO member_account SELECT * FROM kept_account; DROP TABLE kept_account;
      RESET session_replication_role`);
    expect(await audit()).toBe('whole');
    return found;
  };

  it('passes an intact ledger', async () => {
    const seen: number[] = [];
    const result = await auditLedger(fixture.owner, { onProgress: ({ entries }) => seen.push(entries) });
    expect(result).toMatchObject({ accounts: 3, entries: 9, difference: null });
    expect(seen).toEqual([9]);
    const config = loadConfig({
      DATABASE_URL: fixture.url,
      REDIS_URL: 'redis://none',
      SMTP_URL: 'smtp://none',
      APP_SECRET: '0'.repeat(64),
    });
    expect(await ledgerCommand(['audit'], config)).toBe(0);
    expect(await ledgerCommand([], config)).toBe(2);
  });

  it('detects an altered entry', async () => {
    const at = `WHERE user_id = ${userId} AND seq = 4`;
    expect(await tampered(`UPDATE account_log SET used_char_num = used_char_num + 1 ${at}`)).toBe('#4 hash');
    expect(await tampered(`UPDATE account_log SET created_at = created_at + interval '1 ms' ${at}`)).toBe('#4 hash');
    expect(await tampered(`UPDATE account_log SET manager_id = 1 ${at}`)).toBe('#4 hash');
    expect(await tampered(`UPDATE account_log SET char_change = -2, before_char = last_char + 2 ${at}`)).toBe(
      '#4 beforeCharNum',
    );
    expect(await tampered(`UPDATE account_log SET family_id = 1 ${at}`)).toBe('#4 familyId');
    expect(await tampered(`UPDATE account_log SET hash = sha256('x') ${at}`)).toBe('#4 hash');
  });

  it('detects a missing, a swapped and a forged entry', async () => {
    const of = `account_log WHERE user_id = ${userId}`;
    expect(await tampered(`DELETE FROM ${of} AND seq = 3`)).toBe('#4 seq');
    expect(await tampered(`DELETE FROM ${of} AND seq = 7`)).toBe('#7 entry of a translation');
    expect(await tampered(`DELETE FROM ${of}`)).toMatch(/entry of a translation/);
    const move = (from: number, to: number): string =>
      `UPDATE account_log SET seq = ${to} WHERE user_id = ${userId} AND seq = ${from}`;
    expect(await tampered([move(3, 99), move(4, 3), move(99, 4)].join('; '))).toBe('#3 beforeCharNum');
    const tamper = `INSERT INTO account_log SELECT (jsonb_populate_record(e, jsonb_build_object('id', 999, 'seq', 8, 'cmd_id',
      gen_random_uuid(), 'type_seq', 7, 'char_change', 0, 'before_char', last_char))).* FROM ${of.replace('account_log', 'account_log e')} AND seq = 7`;
    expect(
      await tampered(tamper.replace('INSERT INTO account_log', 'INSERT INTO account_log OVERRIDING SYSTEM VALUE')),
    ).toBe('#8 hash');
  });

  it('detects a balance that its entries do not explain', async () => {
    const set = (what: string): Promise<string> =>
      tampered(`UPDATE member_account SET ${what} WHERE user_id = ${userId}`);
    expect(await set('usable_char_num = usable_char_num + 1')).toBe('#null balance row: charNum');
    expect(await set('used_char_total = used_char_total - 1')).toBe('#null balance row: usedCharTotal');
    expect(await set('recharge_amount_total = 1')).toBe('#null balance row: rechargeAmountTotal');
    expect(await set("expire_at = expire_at + interval '1 day'")).toBe('#null balance row: expireAt');
    expect(await set('held_char_num = 0')).toBe('#null held characters');
    expect(await set("head_hash = sha256('x')")).toBe('#null balance row: head of the chain');
    expect(await set('type_seqs[3] = 1')).toBe('#null balance row: type ordinals');
  });

  it('detects a translation whose charge differs from its entry', async () => {
    const of = `translation_log WHERE user_id = ${userId}`;
    expect(
      await tampered(`UPDATE translation_log SET charged = charged + 1 WHERE user_id = ${userId} AND entry_seq = 3`),
    ).toBe('#3 charge of the translation');
    expect(await tampered(`DELETE FROM ${of} AND entry_seq = 3`)).toBe('#3 line in the translation log');
    expect(await tampered(`DELETE FROM ${of} AND entry_seq IS NULL`)).toBe('#6 usageSeq');
    expect(await tampered(`DELETE FROM member_account WHERE user_id = ${userId}`)).toBe('#1 account');
  });

  it('is backed by the database, which refuses such changes', async () => {
    const refused = /append-only|permission denied/;
    for (const sql of ['UPDATE account_log SET amount = 1', 'DELETE FROM account_log', 'TRUNCATE account_log']) {
      await expect(fixture.owner.query(sql)).rejects.toThrow(/append-only/);
      const asApp = fixture.owner.query(`BEGIN; SET LOCAL ROLE ${APP_ROLE}; ${sql}; COMMIT`);
      await expect(asApp).rejects.toThrow(refused);
      for (let i = 0; i < 4; i++) await fixture.owner.query('ROLLBACK');
    }
    const overdraw = `UPDATE member_account SET usable_char_num = -1 WHERE user_id = ${userId}`;
    await expect(fixture.owner.query(overdraw)).rejects.toThrow(/check constraint/);
  });
});
