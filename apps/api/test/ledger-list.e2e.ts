import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountLogRow } from '@yiqiao/contracts/account-log';
import { FILTERED_ROWS_MAX } from '@yiqiao/domain/limits';
import { distribution, recovery } from '@yiqiao/domain/movements';
import { loadConfig } from '../src/platform/config.js';
import { Clock } from '../src/platform/clock.js';
import { ListAccountLogs, ListAccountLogsHandler } from '../src/ledger/log/list-account-logs.js';
import { uuid7 } from '../src/platform/uuid7.js';
import { ListTranslationLogs, ListTranslationLogsHandler } from '../src/translation/list-translation-logs.js';
import { recorded, rowsReadBy } from './support/explained.js';
import { createLedgerFixture, usage, type LedgerFixture } from './support/ledger-fixture.js';

type Filter = Partial<ListAccountLogs['filter']>;

describe('the account log', () => {
  let fixture: LedgerFixture;
  let clock: Clock;
  let main: number;
  let child: number;
  beforeAll(async () => {
    fixture = await createLedgerFixture();
    const rest = {
      DATABASE_URL: fixture.url,
      REDIS_URL: 'redis://none',
      SMTP_URL: 'smtp://none',
      APP_SECRET: '0'.repeat(64),
    };
    clock = new Clock(loadConfig(rest));
    main = await fixture.member({ charChange: 1000 });
    child = await fixture.member({ charChange: 0 }, main);
    await fixture.owner.query(
      `INSERT INTO identity (kind, unique_key, shown, user_id, family_id)
       VALUES ('username', 'linlan', 'LinLan', $1, $1), ('username', 'shop', 'Shop', $2, $1)`,
      [main, child],
    );
    for (let n = 1; n <= 25; n++) {
      const to = { id: uuid7(), userId: main, familyId: main };
      await fixture.ledger.hold({
        ...to,
        ask: n % 5 === 0 ? { kind: 'text', codePoints: n } : { kind: 'text', codePoints: 1 },
      });
      const from = n % 5 === 0 ? ({ ip: '2001:db8::1', clientType: 'android' } as const) : {};
      if (n === 7) await fixture.ledger.release({ ...to, usage });
      else await fixture.ledger.settle({ ...to, usage: { ...usage, ...from } });
    }
    await fixture.orm.em.fork().transactional((em) =>
      fixture.ledger.postAll(
        em,
        [
          { userId: child, movement: { type: 'DISTRIBUTION', charChange: 50, refs: { counterpartId: main } } },
          { userId: main, movement: { type: 'DISTRIBUTION', charChange: -50, refs: { counterpartId: child } } },
        ],
        { cmdId: uuid7() },
      ),
    );
  });
  afterAll(() => fixture.drop());

  const list = (userId: number, filter: Filter = {}): ReturnType<ListAccountLogsHandler['execute']> =>
    new ListAccountLogsHandler(fixture.orm.em, clock).execute(
      new ListAccountLogs(userId, { pageNum: 1, pageSize: 10, ...filter }, 'zh'),
    );
  const seqs = async (filter: Filter): Promise<{ total: number; changes: number[] }> => {
    const { rows, total } = await list(main, filter);
    return { total, changes: rows.map((row) => row.charChangeNum) };
  };

  it('shows the newest entries first, page by page, with the exact total', async () => {
    const { rows, total } = await list(main);
    expect(total).toBe(26);
    expect(rows).toHaveLength(10);
    for (const row of rows) accountLogRow.parse(row);
    expect(rows[0]).toMatchObject({
      logType: 'DISTRIBUTION',
      charChangeNum: -50,
      parentUserName: 'LinLan',
      childUserName: 'Shop',
      consumerIp: null,
    });
    expect(rows[1]).toMatchObject({
      logType: 'TRANSLATION_CONSUME',
      charChangeNum: -25,
      usedCharNum: 25,
      consumerIp: '2001:db8::1',
      consumeTranChannelId: 1,
      parentUserName: null,
      beforeTranslationBillingMode: 'char',
    });
    expect((await list(main, { pageNum: 3 })).rows).toHaveLength(6);
    expect((await list(main, { pageNum: 3 })).rows[5]).toMatchObject({
      logType: 'OTHER',
      charChangeNum: 1000,
      rechargeMemberGroupName: '试用',
      beforeExpireDateTime: null,
    });
    expect(await list(main, { pageNum: 4 })).toEqual({ rows: [], total: 26 });
    expect(await list(999_999)).toEqual({ rows: [], total: 0 });
  });

  it('filters by type, time, address and client, each with its total', async () => {
    expect(await seqs({ logType: 'TRANSLATION_CONSUME', pageSize: 3 })).toEqual({ total: 24, changes: [-25, -1, -1] });
    expect(await seqs({ logType: 'MATRIX' })).toEqual({ total: 0, changes: [] });
    expect(await seqs({ loginIp: '2001:db8::1', pageSize: 2, pageNum: 2 })).toEqual({ total: 5, changes: [-15, -10] });
    expect(await seqs({ loginIp: '2001:0db8::0001' })).toMatchObject({ total: 5 });
    expect(await seqs({ clientType: 'web' })).toMatchObject({ total: 19 });
    expect(await seqs({ clientType: 'web', logType: 'DISTRIBUTION' })).toMatchObject({ total: 0 });
    const { rows } = await fixture.owner.query<{ at: Date }>(
      'SELECT created_at AS at FROM account_log WHERE user_id = $1 ORDER BY seq',
      [main],
    );
    const [first, last] = [rows[0]?.at ?? new Date(), rows.at(-1)?.at ?? new Date()];
    const within = { createDateTimeBegin: clock.toWire(first), createDateTimeEnd: clock.toWire(last) };
    expect(await seqs(within)).toMatchObject({ total: 26 });
    expect(await seqs({ ...within, clientType: 'android' })).toMatchObject({ total: 5 });
    const before = { createDateTimeEnd: clock.toWire(new Date(first.getTime() - 60_000)) };
    expect(await seqs(before)).toEqual({ total: 0, changes: [] });
    expect(await seqs({ ...before, clientType: 'web' })).toEqual({ total: 0, changes: [] });
    expect(await seqs({ createDateTimeBegin: clock.toWire(new Date(last.getTime() + 60_000)) })).toMatchObject({
      total: 0,
    });
  });

  it('shows sub-accounts their own side, and closed accounts without a name', async () => {
    const { rows, total } = await list(child);
    expect(total).toBe(2);
    expect(rows[0]).toMatchObject({ charChangeNum: 50, parentUserName: 'LinLan', childUserName: 'Shop' });
    await fixture.owner.query("DELETE FROM identity WHERE unique_key = 'shop'");
    expect((await list(main)).rows[0]).toMatchObject({ parentUserName: 'LinLan', childUserName: '–' });
  });

  it('includes both date bounds exactly, wherever they fall', async () => {
    const { rows } = await fixture.owner.query<{ at: Date; n: number }>(
      `SELECT date_trunc('second', created_at) AS at, count(*) AS n FROM account_log WHERE user_id = $1 GROUP BY 1`,
      [main],
    );
    for (const { at, n } of rows) {
      const second = clock.toWire(at);
      expect((await list(main, { createDateTimeBegin: second, createDateTimeEnd: second })).total).toBe(Number(n));
    }
  });

  it('explains every type of entry in both languages', async () => {
    await fixture.owner.query(
      `INSERT INTO tran_channel (id, code, name, en_name, price) VALUES (2, 'b', '乙', 'Second', 10)`,
    );
    const one = await fixture.member({ charChange: 1000, voiceChange: 5, imageChange: 5 });
    const other = await fixture.member({ charChange: 10 }, one);
    await fixture.owner.query(
      `INSERT INTO identity (kind, unique_key, shown, user_id, family_id) VALUES ('username', 'kid', 'kid', $1, $2)`,
      [other, one],
    );
    await fixture.post(one, { type: 'INVITE_REWARD', charChange: 10_000 });
    const { rows: orders } = await fixture.owner.query<{ id: number }>(
      `INSERT INTO recharge_order (no, user_id, family_id, pay_cmd, pay_channel, member_group_id, plan_version_id, group_name, group_en_name,
         billing_mode, num, voice_num, image_num, minute_price, reference_channel_id, reference_price, sales_num, sale_price, amount, expires_at)
       SELECT 'YQ2026112100000000000009', $1, $1, gen_random_uuid(), 'ALI_NATIVE', 1, max(id), '试用', 'Trial', 1, 20, 0, 0, 1, 1, 10, 1, 8800, 8800, now()
       FROM plan_version WHERE member_group_id = 1 RETURNING id`,
      [one],
    );
    const plan = { memberGroupId: 1, orderId: orders[0]?.id ?? 0 };
    await fixture.post(one, { type: 'RECHARGE_ORDER_BY_MEMBER_GROUP', charChange: 20, amount: 8800, refs: plan });
    await fixture.post(one, { type: 'SYS_MATRIX', charChange: -10, minChange: 1500, billingMode: 'time' });
    await fixture.post(one, { type: 'MATRIX', charChange: -5, tranChannelId: 2, billingMode: 'char' });
    await fixture.post(one, { type: 'SYS_ADJUST', charChange: -1, voiceChange: 2 });
    const move = async (sides: ReturnType<typeof distribution>): Promise<unknown> =>
      fixture.orm.em.fork().transactional((em) => fixture.ledger.postAll(em, [...sides], { cmdId: uuid7() }));
    await move(distribution({ mainId: one, childId: other }, { charNum: 7, voiceNum: 0, imageNum: 0 }));
    for (const ask of [{ kind: 'text', codePoints: 3 }, { kind: 'voice', minutes: 2 }, { kind: 'image' }] as const) {
      const to = { id: uuid7(), userId: one, familyId: one };
      await fixture.ledger.hold({ ...to, ask });
      await fixture.ledger.settle({ ...to, usage });
    }
    await move(recovery({ mainId: one, childId: other }, { charNum: 17, voiceNum: 0, imageNum: 0 }));
    const told = async (language: 'zh' | 'en'): Promise<string[]> => {
      const query = new ListAccountLogs(one, { pageNum: 1, pageSize: 20 }, language);
      const { rows } = await new ListAccountLogsHandler(fixture.orm.em, clock).execute(query);
      return rows.map((row) => `${row.logType}: ${row.explanation}`).reverse();
    };
    expect(await told('zh')).toEqual([
      'OTHER: 新会员试用：增加 1,000 字符、5 次语音、5 张图片',
      'INVITE_REWARD: 通过邀请链接注册的奖励：增加 10,000 字符',
      'RECHARGE_ORDER_BY_MEMBER_GROUP: 充值「试用」，订单 YQ2026112100000000000009：增加 20 字符',
      'SYS_MATRIX: 购买其他通道或计费方式的套餐，按价格等值换算：10 字符 → 1 天 1 小时',
      'MATRIX: 更换翻译通道：离线 → 乙，按价格等值换算：减少 5 字符',
      'SYS_ADJUST: 系统调整：增加 2 次语音，减少 1 字符（管理员 tester，原因：a test）',
      'DISTRIBUTION: 分配给子账号「kid」：7 字符',
      'TRANSLATION_CONSUME: 文本翻译（离线）：用去 3 字符',
      'VOICE_CONSUME: 语音翻译（离线）：用去 2 次语音',
      'OTHER: 图片翻译（离线）：用去 1 张图片',
      'RECOVERY: 子账号「kid」已删除，收回 17 字符',
    ]);
    expect(await told('en')).toEqual([
      'OTHER: New member trial: 1,000 characters, 5 voice uses, 5 images added',
      'INVITE_REWARD: Reward for registering through an invite link: 10,000 characters added',
      'RECHARGE_ORDER_BY_MEMBER_GROUP: Topped up with “Trial”, order YQ2026112100000000000009: 20 characters added',
      'SYS_MATRIX: A package of another channel or billing mode was bought, converted at equal value: 10 characters → 1 day 1 hour',
      'MATRIX: The translation channel was changed: Offline → Second, converted at equal value: 5 characters taken off',
      'SYS_ADJUST: Adjusted: 2 voice uses added, 1 character taken off (operator tester, because: a test)',
      'DISTRIBUTION: Distributed to the sub-account “kid”: 7 characters',
      'TRANSLATION_CONSUME: Text translation (Offline): 3 characters used',
      'VOICE_CONSUME: Voice translation (Offline): 2 voice uses used',
      'OTHER: Image translation (Offline): 1 image used',
      'RECOVERY: The sub-account “kid” was deleted: 17 characters came back',
    ]);
  });

  it('caps its count when filtered by client, and counts fully otherwise', async () => {
    const many = FILTERED_ROWS_MAX + 250;
    const userId = await fixture.member({ charChange: 1 });
    await fixture.owner.query(
      `INSERT INTO translation_log (user_id, family_id, usage_seq, cmd_id, created_at, status, charged, word_count, billing_mode,
         tran_channel_id, ip, client_type, source_lang, target_lang)
       SELECT $1, $1, n, gen_random_uuid(), now(), 2, 0, 1, 1, 1, '192.0.2.9', CASE WHEN n % 100 = 0 THEN 4 ELSE 0 END, 'zh', 'en'
       FROM generate_series(1, $2::int) n`,
      [userId, many],
    );
    await fixture.owner.query('UPDATE member_account SET usage_seq = $2 WHERE user_id = $1', [userId, many]);
    const lines = (filter: Partial<ListTranslationLogs['filter']>): ReturnType<ListTranslationLogsHandler['execute']> =>
      new ListTranslationLogsHandler(fixture.orm.em, fixture.ledger, clock).execute(
        new ListTranslationLogs({ pageNum: 1, pageSize: 10, ...filter }, userId),
      );
    expect((await lines({})).total).toBe(many);
    expect((await lines({ loginIp: '192.0.2.9' })).total).toBe(FILTERED_ROWS_MAX);
    expect((await lines({ clientType: 'web' })).total).toBe(FILTERED_ROWS_MAX);
    expect((await lines({ clientType: 'ios' })).total).toBe(102);
    expect((await lines({ clientType: 'ios', loginIp: '192.0.2.9' })).total).toBe(102);
    expect((await lines({ clientType: 'ios', loginIp: '192.0.2.8' })).total).toBe(0);
    const last = await lines({ loginIp: '192.0.2.9', pageNum: FILTERED_ROWS_MAX / 10 });
    expect(last.rows).toHaveLength(10);
    expect(await lines({ loginIp: '192.0.2.9', pageNum: FILTERED_ROWS_MAX / 10 + 1 })).toEqual({
      rows: [],
      total: FILTERED_ROWS_MAX,
    });
    const newest = await lines({ loginIp: '192.0.2.9', pageSize: 2 });
    const ids = newest.rows.map((row) => row.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
  });

  it('passes over the entries of a member once, under statistics from before the member', async () => {
    const many = FILTERED_ROWS_MAX + 250;
    // Others have entries; autovacuum must not see those of the new member.
    const { rows: parts } = await fixture.owner.query<{ part: string }>(
      `SELECT inhrelid::regclass AS part FROM pg_inherits WHERE inhparent IN ('account_log'::regclass, 'translation_log'::regclass)`,
    );
    for (const { part } of parts) await fixture.owner.query(`ALTER TABLE ${part} SET (autovacuum_enabled = false)`);
    const [before, userId] = [await fixture.member({ charChange: 1 }), await fixture.member({ charChange: 1 })];
    await fill(before, 100);
    await fixture.owner.query('ANALYZE account_log, translation_log');
    await fill(userId, many);
    const found: number[] = [];
    const filter = { clientType: 'web', logType: 'TRANSLATION_CONSUME' } as const;
    const sent = await recorded(fixture.orm.em, async () => found.push((await list(userId, filter)).total));
    // Every thousandth of the newest is a recording.
    expect(found).toEqual([FILTERED_ROWS_MAX - FILTERED_ROWS_MAX / 1_000]);
    expect(sent.length).toBeGreaterThan(3);
    for (const one of sent) expect(await rowsReadBy(fixture.owner, one)).toBeLessThan(10 * many);
  });

  /** Charged translations of one character after the opening entry, every thousandth a recording. */
  const fill = async (userId: number, count: number): Promise<void> => {
    await fixture.owner.query(
      `WITH made AS (SELECT n, gen_random_uuid() AS cmd, CASE WHEN n % 1000 = 0 THEN 8 ELSE 7 END AS type FROM generate_series(1, $2::int) n),
       entered AS (
         INSERT INTO account_log (user_id, family_id, seq, log_type, type_seq, cmd_id, created_at, char_change, min_change, voice_change,
           image_change, used_char_num, amount, before_char, last_char, before_voice, last_voice, before_image, last_image,
           before_billing_mode, last_billing_mode, consume_tran_channel_id, hash)
         SELECT $1, $1, n + 1, type, row_number() OVER (PARTITION BY type ORDER BY n), cmd, now(), 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1,
           decode(repeat('00', 32), 'hex') FROM made),
       counted AS (
         UPDATE member_account SET entry_seq = $2::int + 1, usage_seq = $2::int,
           type_seqs = ARRAY[0, 0, 0, 0, 0, 0, $2::int - $2::int / 1000, $2::int / 1000, 1, 0] WHERE user_id = $1)
       INSERT INTO translation_log (user_id, family_id, usage_seq, entry_seq, cmd_id, created_at, status, charged, word_count, billing_mode,
         tran_channel_id, ip, client_type, source_lang, target_lang)
       SELECT $1, $1, n, n + 1, cmd, now(), 1, 0, 1, 1, 1, '192.0.2.9', 0, 'zh', 'en' FROM made`,
      [userId, count],
    );
  };
});
