import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY_MS, PACKAGE_DAYS } from '@yiqiao/domain/limits';
import { distribution, recovery } from '@yiqiao/domain/movements';
import { type AuditProgress, auditLedger } from '../src/ledger/audit/audit.js';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { type Config, loadConfig } from '../src/platform/config.js';
import type { AccountView, Posting } from '../src/ledger/ledger.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { tamper } from './support/tamperer.js';
import { createLedgerFixture, usage, type LedgerFixture } from './support/ledger-fixture.js';
import { giveReason } from './support/operator.js';
import { runCommand } from './support/run-command.js';

/** A family with every kind of entry that needs confirmation, and attacks on it that keep the chain valid. */
describe('the audit of a family', () => {
  let fixture: LedgerFixture;
  let config: Config;
  let folder: string;
  let main: number;
  let child: number;
  let gone: number;
  let other: number;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
    config = loadConfig({
      DATABASE_URL: fixture.url,
      REDIS_URL: 'redis://none',
      SMTP_URL: 'smtp://none',
      APP_SECRET: '0'.repeat(64),
    });
    folder = await mkdtemp(path.join(os.tmpdir(), 'audit-'));
    await fixture.owner.query(`INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (2, 'b', '乙', 'B', 10);
      INSERT INTO member_group (id, name, en_name, tier, billing_mode, num, sale_price, reference_channel_id)
      VALUES (2, '标准', 'Standard', 'standard', 1, 3, 100, 1)`);
    other = await fixture.member({ charChange: 7 });
    main = await fixture.member({ charChange: 100_000, voiceChange: 10 });
    child = await fixture.member({ charChange: 0 }, main);
    gone = await fixture.member({ charChange: 0 }, main);
    await both(distribution({ mainId: main, childId: child }, { charNum: 500, voiceNum: 2, imageNum: 0 }));
    await both(distribution({ mainId: main, childId: gone }, { charNum: 300, voiceNum: 0, imageNum: 0 }));
    await both(recovery({ mainId: main, childId: gone }, { charNum: 300, voiceNum: 0, imageNum: 0 }));
    await both([main, child].map((userId) => ({ userId, movement: { type: 'MATRIX', tranChannelId: 2 } as const })));
    await fixture.post(child, { type: 'SYS_ADJUST', charChange: 5 });
    const cmdId = uuid7();
    const managerId = await giveReason(fixture.owner, { cmdId, userId: other });
    const rule = ([account]: readonly AccountView[], now: number): Posting[] => [
      {
        userId: other,
        movement: {
          type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
          charChange: 3,
          expireAt: Math.max(now, account?.state.expireAt ?? 0) + PACKAGE_DAYS * DAY_MS,
          refs: { managerId, memberGroupId: 2, rechargeTranChannelId: 1, rechargeBillingMode: 'char' },
        },
      },
    ];
    const grant = { rule, command: { cmdId } };
    await fixture.orm.em.fork().transactional((em) => fixture.ledger.move(em, { userIds: [other] }, grant));
    const to = { id: uuid7(), userId: child, familyId: main };
    await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: 20 } });
    await fixture.ledger.settle({ ...to, usage });
  });
  afterAll(async () => {
    expect(await audit()).toBe('whole');
    await rm(folder, { recursive: true });
    await fixture.drop();
  });

  const both = (postings: readonly Parameters<LedgerFixture['ledger']['postAll']>[1][number][]): Promise<unknown> =>
    fixture.orm.em.fork().transactional((em) => fixture.ledger.postAll(em, [...postings], { cmdId: uuid7() }));

  const audit = async (userIds?: number[]): Promise<string> => {
    const { difference: d } = await auditLedger(fixture.owner, userIds ? { scope: { userIds } } : {});
    return d ? `${d.userId}#${d.seq} ${d.field}: ${String(d.expected)} → ${String(d.found)}` : 'whole';
  };

  /** The findings after a change of the tables; then restores them. */
  const after = async (tamper: () => Promise<unknown>): Promise<string> => {
    const tables = ['account_log', 'translation_log', 'member_account', 'manager_action', 'mailbox_gift'];
    for (const table of tables) await fixture.owner.query(`CREATE TABLE kept_${table} AS SELECT * FROM ${table}`);
    await tamper();
    const found = await audit();
    const client = await fixture.owner.connect();
    await client.query('SET session_replication_role = replica');
    for (const table of tables) {
      const overriding = table.endsWith('_log') ? 'OVERRIDING SYSTEM VALUE' : '';
      await client.query(
        `DELETE FROM ${table}; INSERT INTO ${table} ${overriding} SELECT * FROM kept_${table}; DROP TABLE kept_${table}`,
      );
    }
    await client.query('RESET session_replication_role');
    client.release();
    expect(await audit()).toBe('whole');
    return found;
  };
  const sql = (text: string) => (): Promise<unknown> =>
    fixture.owner.query(`SET session_replication_role = replica; ${text}; RESET session_replication_role`);

  it('passes for all, for one account and for one family', async () => {
    expect(await audit()).toBe('whole');
    expect(await audit([child])).toBe('whole');
    const one = await runCommand(() => ledgerCommand(['audit', '--user', String(child)], config));
    expect(one.code).toBe(0);
    expect(one.out).toContain('5 entries explain the balances of 1 account ');
    const zh = await runCommand(() => ledgerCommand(['audit', '--user', String(child)], config), 'zh_CN.UTF-8');
    expect(zh.out).toContain('账本完整：5 条记录说明了 1 个账号的余额');
    const family = await runCommand(() => ledgerCommand(['audit', '--family', String(child)], config));
    expect(family.out).toMatch(/13 entries explain the balances of 3 accounts/);
    expect((await runCommand(() => ledgerCommand(['audit', '--user', 'nobody'], config))).code).toBe(1);
    expect((await runCommand(() => ledgerCommand(['audit', '--user', '1', '--family', '1'], config))).code).toBe(2);
    expect((await runCommand(() => ledgerCommand(['audit', '--what'], config))).code).toBe(2);
  });

  it('detects a forged charge by the translation log, even if chain, head and balance match', async () => {
    const found = await after(() =>
      tamper(fixture.owner, { userId: child, seq: 5 }, (entry) => {
        entry.charChange = -19;
      }),
    );
    expect(found).toBe(`${child}#5 charge of the translation: 19 → 20`);
  });

  it('detects a forged movement by its counterpart', async () => {
    const more = (userId: number, seq: number) => (): Promise<void> =>
      tamper(fixture.owner, { userId, seq }, (entry) => {
        entry.charChange += 9;
      });
    expect(await after(more(child, 2))).toBe(
      `${main}#2 other side of the movement (account ${child}, entry 2): charChange: 500 → 509`,
    );
    expect(await after(more(main, 2))).toBe(
      `${main}#2 other side of the movement (account ${child}, entry 2): charChange: 491 → 500`,
    );
    const elsewhere = await after(() =>
      tamper(fixture.owner, { userId: main, seq: 2 }, (entry) => {
        entry.counterpartId = gone;
      }),
    );
    expect(elsewhere).toBe(
      `${main}#2 other side of the movement: an entry of account ${gone} under the same command → none`,
    );
    const alone = await after(() =>
      tamper(fixture.owner, { userId: main, seq: 4 }, (entry) => {
        entry.cmdId = uuid7();
      }),
    );
    expect(alone).toBe(
      `${main}#4 other side of the movement: an entry of account ${gone} under the same command → none`,
    );
  });

  it('detects a lone movement or conversion of a sub-account, and a movement out of the family', async () => {
    const converted = await after(() =>
      tamper(fixture.owner, { userId: child, seq: 3 }, (entry) => {
        entry.cmdId = uuid7();
      }),
    );
    expect(converted).toBe(`${child}#3 conversion of the main account ${main}: an entry under the same command → none`);
    const stranger = await after(() =>
      tamper(fixture.owner, { userId: main, seq: 2 }, (entry) => {
        entry.counterpartId = main;
      }),
    );
    expect(stranger).toBe(`${main}#2 counterpartId: a sub-account → ${main}`);
  });

  it('detects an adjustment without a reason, by another operator or for another account', async () => {
    const at = `${child}#4`;
    const command = `SELECT cmd_id FROM account_log WHERE user_id = ${child} AND seq = 4`;
    expect(await after(sql(`DELETE FROM manager_action WHERE cmd_id = (${command})`))).toBe(
      `${at} reason of the adjustment: a reason and an operator → none`,
    );
    const operator = await after(() =>
      tamper(fixture.owner, { userId: child, seq: 4 }, (entry) => {
        entry.managerId = 99;
      }),
    );
    expect(operator).toMatch(new RegExp(`^${at} operator of the adjustment: \\d+ → 99$`));
    expect(await after(sql(`UPDATE manager_action SET user_id = ${main} WHERE cmd_id = (${command})`))).toBe(
      `${at} account of the adjustment: ${child} → ${main}`,
    );
  });

  it('detects a plan granted without a reason or without an operator', async () => {
    expect(await after(sql(`DELETE FROM manager_action WHERE user_id = ${other}`))).toBe(
      `${other}#2 reason of the grant: a reason and an operator → none`,
    );
    const operator = await after(() =>
      tamper(fixture.owner, { userId: other, seq: 2 }, (entry) => {
        entry.managerId = 99;
      }),
    );
    expect(operator).toMatch(new RegExp(`^${other}#2 operator of the grant: \\d+ → 99$`));
  });

  it('detects an erased sub-account by its main account', async () => {
    const found = await after(
      sql(`DELETE FROM account_log WHERE user_id = ${gone}; DELETE FROM member_account WHERE user_id = ${gone}`),
    );
    expect(found).toBe(
      `${main}#3 other side of the movement: an entry of account ${gone} under the same command → none`,
    );
  });

  it('detects a gift forged with its whole chain by its row, or else by an earlier head', async () => {
    const headOf = async (name: string): Promise<{ head: string; hashes: string[] }> => {
      const file = path.join(folder, name);
      expect(
        (await runCommand(() => ledgerCommand(['verify-export', String(other), '--out', file], config))).code,
      ).toBe(0);
      const { balance, entries } = JSON.parse(await readFile(file, 'utf8')) as {
        balance: { head: string };
        entries: string[][];
      };
      return { head: balance.head, hashes: entries.map((row) => String(row.at(-1))) };
    };
    const before = await headOf('before.json');
    let later: { head: string; hashes: string[] } | undefined;
    const more = (): Promise<void> =>
      tamper(fixture.owner, { userId: other, seq: 1 }, (entry) => {
        entry.charChange = 1_000_007;
      });
    expect(await after(more)).toBe(`${other}#1 gift of the mailbox (trial): charNum: 7 → 1000007`);
    const found = await after(async () => {
      await more();
      await sql(`UPDATE mailbox_gift SET char_num = 1000007 WHERE user_id = ${other}`)();
      later = await headOf('after.json');
    });
    expect(found).toBe('whole');
    expect(later?.hashes).not.toContain(before.head);
  });

  it('reports its progress when interrupted', async () => {
    const controller = new AbortController();
    const seen: (number | undefined)[] = [];
    const onProgress = ({ last }: AuditProgress): void => void seen.push(last?.userId);
    controller.abort(new Error('enough'));
    const audited = auditLedger(fixture.owner, { signal: controller.signal, onProgress });
    await expect(audited).rejects.toThrow('enough');
    expect(seen).toEqual([undefined]);
    expect(await audit()).toBe('whole');
  });

  it('continues after the last verified account, unless that account was rewritten', async () => {
    const state = path.join(folder, 'state.json');
    const run = (...args: string[]): ReturnType<typeof runCommand> =>
      runCommand(() => ledgerCommand(['audit', '--state', state, ...args], config));
    const stopped = await after(async () => {
      await sql(`UPDATE member_account SET used_char_total = used_char_total + 1 WHERE user_id = ${child}`)();
      const broken = await run();
      expect(broken.code).toBe(1);
      expect(broken.out).toContain(`DIFFERENCE at account ${child}: balance row: usedCharTotal`);
      expect(broken.out).toMatch(/expected 20\n.*found +21\n1 difference in 15 entries of 4 accounts/s);
    });
    expect(stopped).toContain('usedCharTotal');
    const kept = await readFile(state, 'utf8');
    await writeFile(state, kept.replace(/"head": "../, '"head": "00'));
    expect((await run('--resume', '--family', String(main))).out).toContain('Nothing to resume');
    await writeFile(state, kept.replace(/"head": "../, '"head": "zz'));
    expect((await run('--resume')).out).toContain('differs from what the earlier run checked');
    await writeFile(state, kept);
    const resumed = await run('--resume');
    expect(resumed.out).toContain(`Continuing after account ${main}`);
    expect(resumed.out).toContain('The ledger is intact: 15 entries explain the balances of 4 accounts');
    const again = await run('--resume');
    expect(again.out).toContain('Nothing to resume');
    expect(again.code).toBe(0);
  });
});
