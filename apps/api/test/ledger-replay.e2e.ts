import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Entry } from '@yiqiao/domain/ledger';
import { distribution } from '@yiqiao/domain/movements';
import { ledgerCommand } from '../src/ledger/operator/ledger-command.js';
import { Clock } from '../src/platform/clock.js';
import { type Config, loadConfig } from '../src/platform/config.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { tamper } from './support/tamperer.js';
import { createLedgerFixture, usage, type LedgerFixture } from './support/ledger-fixture.js';
import { runCommand } from './support/run-command.js';

/** --at cannot separate entries of the same second, so the tests wait for the next one. */
const nextSecond = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_100 - (Date.now() % 1_000)));

describe('the operator’s ledger commands', () => {
  let fixture: LedgerFixture;
  let config: Config;
  let clock: Clock;
  let main: number;
  let child: number;
  let between: string;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
    const env = {
      DATABASE_URL: fixture.url,
      REDIS_URL: 'redis://none',
      SMTP_URL: 'smtp://none',
      APP_SECRET: '0'.repeat(64),
    };
    config = loadConfig({ ...env, APP_TIMEZONE: 'America/New_York' });
    clock = new Clock(config);
    main = await fixture.member({ charChange: 1000, voiceChange: 3 });
    child = await fixture.member({ charChange: 0 }, main);
    await fixture.owner.query(
      `INSERT INTO identity (kind, unique_key, shown, user_id, family_id)
       VALUES ('username', 'linlan', 'LinLan', $1, $1), ('email', 'lin@example.com', 'Lin@example.com', $1, $1),
         ('username', '12345678', '12345678', $2, $1)`,
      [main, child],
    );
    between = clock.toWire(new Date());
    await nextSecond();
    const sides = distribution({ mainId: main, childId: child }, { charNum: 200, voiceNum: 0, imageNum: 0 });
    await fixture.orm.em.fork().transactional((em) => fixture.ledger.postAll(em, [...sides], { cmdId: uuid7() }));
    for (let n = 1; n <= 3; n++) {
      const to = { id: uuid7(), userId: child, familyId: main };
      await fixture.ledger.hold({ ...to, ask: { kind: 'text', codePoints: n * 10 } });
      if (n < 3) await fixture.ledger.settle({ ...to, usage });
    }
    await fixture.post(main, { type: 'SYS_ADJUST', charChange: -50 });
  });
  afterAll(() => fixture.drop());

  const run = (...args: string[]): ReturnType<typeof runCommand> => runCommand(() => ledgerCommand(args, config));

  it('show past balances of one account', async () => {
    const then = await run('replay', '--at', between, '--user', 'LINLAN');
    expect(then.code).toBe(0);
    expect(then.out).toMatch(/^charNum +1000$/m);
    expect(then.out).toMatch(/^rechargeAmountFen +0$/m);
    const now = await run('replay', '--at', clock.toWire(new Date()), '--user', 'lin@example.com');
    expect(now.out).toMatch(/^charNum +750$/m);
    expect(now.out).toMatch(/^seq +3$/m);
    const before = await run('replay', '--at', '2020-01-01 00:00:00', '--user', String(main));
    expect(before).toMatchObject({ code: 0, out: '', err: 'There are no entries before 2020-01-01 00:00:00.\n' });
  });

  it('show past balances of all accounts as a table for programs', async () => {
    const { out } = await run('replay', '--at', clock.toWire(new Date()));
    const [head, ...lines] = out.trimEnd().split('\n');
    expect(head?.split(',').slice(0, 4)).toEqual(['userId', 'familyId', 'seq', 'charNum']);
    expect(lines.map((line) => line.split(',').slice(0, 4).map(Number))).toEqual([
      [main, main, 3, 750],
      [child, main, 4, 170],
    ]);
    expect((await run('replay', '--at', between, '--format', 'tsv')).out.split('\n')[1]).toMatch(
      /^\d+\t\d+\t1\t1000\t3\t/,
    );
    expect((await run('replay', '--at', '2020-01-01 00:00:00')).out.trimEnd().split('\n')).toHaveLength(1);
  });

  it('reject invalid times', async () => {
    for (const at of ['2026-02-31 10:00:00', '2026-01-01', 'yesterday', '2026-01-01 25:00:00'])
      expect((await run('replay', '--at', at)).code).toBe(2);
    expect((await run('replay')).code).toBe(2);
    expect((await run('replay', '--at', between, '--format', 'xml')).code).toBe(2);
    const nobody = await run('replay', '--at', between, '--user', 'nobody');
    expect(nobody).toMatchObject({ code: 1, err: 'No such account: nobody\n' });
  });

  it('reject a time in the future, but not the present', async () => {
    const future = await run('replay', '--at', '2999-01-01 00:00:00', '--user', String(main));
    expect(future).toMatchObject({ code: 0, err: expect.stringContaining('is in the future') });
    expect(future.out).toMatch(/^charNum +750$/m);
    expect((await run('replay', '--at', clock.toWire(new Date()), '--user', String(main))).err).toBe('');
  });

  it('explain a balance step by step in Chinese and in English', async () => {
    const zh = await runCommand(() => ledgerCommand(['explain', '12345678'], config), 'zh_CN.UTF-8');
    expect(zh.code).toBe(0);
    expect(zh.out).toContain(`账号 ${child} 12345678 · 主账号 ${main}`);
    expect(zh.out).toContain('主账号「LinLan」分配：200 字符');
    expect(zh.out).toContain('字符 0 → 200 (+200)');
    expect(zh.out).toMatch(/现在: 170 字符.*（其中 30 由进行中的翻译占用）/);
    const en = await run('explain', String(main));
    expect(en.out).toContain('Distributed to the sub-account “12345678”: 200 characters');
    expect(en.out).toContain('operator tester, because: a test');
    expect(en.out).toContain('characters 800 → 750 (−50) · then: 750 characters, 3 voice, 0 images');
    expect(en.out).toContain('Now: 750 characters');
    expect(en.out).not.toMatch(/[\p{Script=Han}]/u);
  });

  it('show only the last lines, and reject unknown options', async () => {
    const { out } = await run('explain', '12345678', '--lang', 'zh', '--last', '1');
    expect(out).toContain('（较早的 3 条未显示）');
    expect(out.match(/^#\d+/gm)).toEqual(['#4']);
    expect((await run('explain', 'nobody')).code).toBe(1);
    for (const args of [[], ['1', '2'], ['1', '--lang', 'fr'], ['1', '--last', '0'], ['1', '--last', 'x']])
      expect((await run('explain', ...args)).code).toBe(2);
  });

  it('do not show balances that the chain does not prove', async () => {
    const undo: number[] = [];
    await tamper(fixture.owner, { userId: child, seq: 2 }, (entry: Entry) => {
      undo.push(entry.charChange);
      entry.charChange = 500;
    });
    await fixture.owner
      .query(`SET session_replication_role = replica; UPDATE account_log SET char_change = 501, last_char = 501
      WHERE user_id = ${child} AND seq = 2; RESET session_replication_role`);
    const { code, out } = await run('replay', '--at', clock.toWire(new Date()), '--user', String(child));
    expect(code).toBe(1);
    expect(out).toContain(`DIFFERENCE at account ${child}, entry 2: hash`);
    await tamper(fixture.owner, { userId: child, seq: 2 }, (entry: Entry) => {
      entry.charChange = undo[0] ?? 0;
    });
    expect((await run('audit')).code).toBe(0);
  });
});
