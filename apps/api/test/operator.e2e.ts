/** The operator's commands for plans, channels and accounts, and the demo family. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { login } from '@yiqiao/contracts/login';
import { listMapping, listSale } from '@yiqiao/contracts/plans';
import { listChildUsers, saveChildUser } from '@yiqiao/contracts/sub-accounts';
import { getUser } from '@yiqiao/contracts/user';
import { accountAdjust } from '../src/operator/account-adjust.js';
import { channelList, channelSet } from '../src/operator/channels.js';
import { planGrant } from '../src/operator/plan-grant.js';
import { planList, planSet } from '../src/operator/plans.js';
import { UsageError } from '../src/platform/cli-messages.js';
import { startApi, type TestApi } from './support/api.js';
import { listManagers, runOperator, runTask, type Ran } from './support/operator.js';
import { TestClient } from './support/client.js';
import { makeMain, makeSub, setChars } from './support/family.js';
import { freshName, type TestMember } from './support/test-members.js';

let api: TestApi;
let main: TestMember;

beforeAll(async () => {
  api = await startApi();
  main = await makeMain(api);
  await listManagers(api.db, 'ops', '小赵');
});
afterAll(() => api.stop());

const operator = (args: string[], lang?: string): Promise<Ran> => runOperator(api.env, args, lang);

const commands = new Map([
  ['plan list', planList],
  ['plan set', planSet],
  ['plan grant', planGrant],
  ['channel list', channelList],
  ['channel set', channelSet],
  ['account adjust', accountAdjust],
]);

/** The same within this process: starting another one takes longer than the command. */
function inside([first, second, ...args]: string[], lang?: string): Promise<Ran> {
  const command = commands.get(`${first} ${second}`);
  if (!command) throw new Error(`${first} ${second} is not known here`);
  return runTask(api.env, () => command(args), lang);
}

/** The required options of a new price. */
const why = ['--reason', '调价', '--by', 'ops'];
const account = async (who = main) => (await who.client.call(getUser, {})).memberAccount;

describe('plan', () => {
  it('list shows every plan in either language', async () => {
    const { code, out } = await operator(['plan', 'list']);
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toMatch(/^id\s+name\s+enName\s+tier/);
    expect(out).toMatch(/^3\s+专业版\s+Professional\s+professional\s+per character\s+5,000,000\s+19800/m);
    expect(out.trim().split('\n')).toHaveLength(10);
    expect((await inside(['plan', 'list'], 'zh_CN.UTF-8')).out).toMatch(/^编号\s+名称/);
  });

  it('set changes the given fields, all or nothing, and the sale list follows at once', async () => {
    const ran = await inside([
      'plan',
      'set',
      '2',
      'salePrice=9900',
      'num=2100000',
      'name=标准 新版',
      'tranChannelId=deepl',
      ...why,
    ]);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toContain('salePrice: 8,800 → 9,900');
    expect(ran.out).toContain('name: 标准版 → 标准 新版');
    expect(ran.out).toContain('tranChannelId: – → 6');
    // Its channel is unavailable, so it is not offered.
    expect((await main.client.call(listSale, {})).some(({ id }) => id === 2)).toBe(false);
    await inside(['plan', 'set', '2', 'tranChannelId=null', 'position=99', ...why]);
    expect((await main.client.call(listSale, {})).at(-1)).toMatchObject({ id: 2, salePrice: 9_900, num: 2_100_000 });
    await inside(['plan', 'set', '2', 'onSale=false', ...why]);
    expect((await main.client.call(listSale, {})).some(({ id }) => id === 2)).toBe(false);
  });

  it.each([
    [inside, ['plan', 'set', '2', 'salePrice=0', 'onSale=true', ...why], 1, /at least 1 fen/],
    [inside, ['plan', 'set', '1', 'onSale=true', 'salePrice=5', ...why], 1, /cannot be put on sale/],
    [inside, ['plan', 'set', '77', 'num=5', ...why], 1, /No such plan: 77/],
    [operator, ['plan', 'set', '2', 'num=-1'], 2, /num must be a whole number \(1 … /],
    [inside, ['plan', 'grant', 'nobody-here', '3', '1', '--reason', 'x'], 1, /No such member: nobody-here/],
    [inside, ['channel', 'set', 'pigeon', 'price=5', ...why], 1, /No such channel: pigeon/],
    [operator, ['account'], 2, /^$/],
  ])(
    '(%p) rejects %j',
    async (run, args, code, words) => {
      const before = await api.db.query('SELECT * FROM member_group ORDER BY id');
      const ran = await run(args);
      expect({ code: ran.code, err: ran.err }).toEqual({ code, err: expect.stringMatching(words) });
      expect((await api.db.query('SELECT * FROM member_group ORDER BY id')).rows).toEqual(before.rows);
    },
    60_000,
  );

  it.each([
    [planSet, ['2', 'minutePrice=0'], /minutePrice/],
    [planSet, ['2', 'salePrice=1.5'], /salePrice/],
    [planSet, ['2', 'salePrice=99999999999'], /salePrice/],
    [planSet, ['2', 'billingMode=weekly'], /char or time/],
    [planSet, ['2', 'createChildUser=1'], /true or false/],
    [planSet, ['2', 'tranChannelId=88'], /channel/],
    [planSet, ['2', 'id=3'], /Unknown argument id/],
    [planSet, ['2', 'num=5', 'num=6'], /twice/],
    [planSet, ['2', 'name= '], /visible/],
    [planSet, ['2', '3', 'num=5'], /Unexpected argument: 3/],
    [planSet, ['2'], /Nothing to set/],
    [planSet, [], /Missing <id>/],
    [planSet, ['2', 'num=5'], /--reason/],
    [channelSet, ['deepl', 'price=5'], /--reason/],
    [planGrant, ['x', '3', '1'], /--reason/],
    [planGrant, ['x', '3', '0', '--reason', 'x'], /quantity/],
    [planGrant, ['x', '3', '1000', '--reason', 'x'], /quantity/],
    [channelSet, ['deepl', 'price=0'], /price/],
    [channelSet, ['deepl'], /Nothing to set/],
    [accountAdjust, ['x', '--reason', 'y'], /Nothing to adjust/],
    [accountAdjust, ['x', '--chars', '5'], /--reason/],
    [accountAdjust, ['x', '--chars'], /--chars needs a value/],
    [accountAdjust, ['x', '--chars', '1e3', '--reason', 'y'], /--chars/],
    [accountAdjust, ['x', '--days', '4000', '--reason', 'y'], /--days/],
    [accountAdjust, ['x', '--coins', '5', '--reason', 'y'], /Unknown argument --coins/],
    [accountAdjust, ['x', '--chars', '5', '--reason', ' '], /--reason/],
    [accountAdjust, ['x', '--chars', '5', '--reason', 'y', '--key', 'a b'], /--key/],
  ])('%p shows its usage for %j', (read, args, words) => {
    expect(() => read(args)).toThrow(UsageError);
    expect(() => read(args)).toThrow(words);
  });

  it('grant works like a purchase, free of charge, and records who and why', async () => {
    const who = await makeMain(api);
    const before = await account(who);
    const grant = ['plan', 'grant', who.username, '3', '2', '--reason', '大客户试用', '--by', '小赵', '--key', 'g1'];
    const ran = await inside(grant);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toContain(who.username);
    expect(ran.out).toContain('characters: 5,000 → 10,005,000');
    expect(ran.out).toContain('plan: 免费试用 → 专业版');
    const after = await account(who);
    expect(after).toMatchObject({
      usableCharNum: before.usableCharNum + 10_000_000,
      usableVoiceNum: before.usableVoiceNum + 300,
      rechargeAmountTotal: 0,
    });
    const days = (Date.parse(`${after.expireDateTime}Z`) - Date.parse(`${before.expireDateTime}Z`)) / 86_400_000;
    expect(days).toBe(60);
    const { rows } = await who.client.call(listAccountLogs, { logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP' });
    expect(rows).toMatchObject([
      { managerName: '小赵', reason: '大客户试用', amount: 0, rechargeMemberGroupName: '专业版' },
    ]);
    expect(rows[0]?.explanation).toBe(
      '充值「专业版」：增加 10,000,000 字符、300 次语音、300 张图片（管理员 小赵，原因：大客户试用）',
    );
    // Now the plan includes sub-accounts.
    await who.client.call(saveChildUser, { account: freshName(), password: 'child-secret' });

    const again = await inside(grant);
    expect(again).toMatchObject({ code: 0 });
    expect(again.out).toContain('not repeated');
    expect(await account(who)).toEqual(after);
    // Also when the plan is larger by now: the granted quota stays the same.
    await api.db.query('UPDATE member_group SET num = num + 1 WHERE id = 3');
    expect((await inside(grant)).out).toContain('not repeated');
    await api.db.query('UPDATE member_group SET num = num - 1 WHERE id = 3');
    expect(await account(who)).toEqual(after);
    const other = await inside(grant.map((arg) => (arg === '2' ? '3' : arg)));
    expect(other.code).toBe(1);
    const child = (await who.client.call(listChildUsers, {})).rows[0];
    const toSub = await inside(['plan', 'grant', `id:${child?.userId}`, '3', '1', '--reason', 'x']);
    expect(toSub).toMatchObject({ code: 1, err: expect.stringContaining('sub-account') });
  });
});

describe('a granted plan', () => {
  const explained = async (who: TestMember, language: string) => {
    const client = who.client.with({ 'Accept-Language': language });
    return (await client.call(listAccountLogs, { logType: 'RECHARGE_ORDER_BY_MEMBER_GROUP' })).rows[0]?.explanation;
  };
  const grant = async (who: TestMember, plan: string, quantity: string) => {
    const ran = await inside(['plan', 'grant', who.username, plan, quantity, '--reason', '补偿', '--by', '小赵']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    return Promise.all(['zh-CN', 'en-US'].map((language) => explained(who, language)));
  };

  it('is explained with its reference channel at the prices of its time, like a bought one', async () => {
    const who = await makeMain(api);
    await inside(['channel', 'set', 'offline', 'price=96', ...why]);
    try {
      expect(await grant(who, '3', '3')).toEqual([
        '充值「专业版」（15,000,000 字符，按谷歌翻译的价格），等值换算到 离线引擎：增加 6,250,000 字符、450 次语音、450 张图片（管理员 小赵，原因：补偿）',
        'Topped up with “Professional” (15,000,000 characters at the price of Google), converted at equal value to Offline engine: 6,250,000 characters, 450 voice uses, 450 images added (operator 小赵, because: 补偿)',
      ]);
    } finally {
      await inside(['channel', 'set', 'offline', 'price=40', ...why]);
    }
    expect(await explained(who, 'zh-CN')).toContain('15,000,000 字符，按谷歌翻译的价格');
  });
});

describe('channel', () => {
  it('list and set change price and availability at once', async () => {
    const { out } = await inside(['channel', 'list']);
    expect(out).toMatch(/available\s+reason\s+24 h/);
    expect(out).toMatch(/^6\s+deepl\s+DeepL\s+DeepL\s+80\s+no\s+Needs an API key/m);
    const ran = await inside(['channel', 'set', 'deepl', 'price=44', 'enabled=false', 'name=深译', ...why]);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toContain('price: 80 → 44');
    expect(ran.out).toContain('enabled: true → false');
    expect((await inside(['channel', 'list'])).out).toMatch(
      /^6\s+deepl\s+深译\s+DeepL\s+44\s+no\s+This channel is switched off/m,
    );
    expect((await main.client.call(listMapping, {})).some(({ id }) => id === 6)).toBe(false);
    const { rows } = await api.db.query(
      `SELECT price, m.name AS by, reason FROM channel_price LEFT JOIN manager m ON m.id = manager_id WHERE tran_channel_id = 6
       ORDER BY effective_at`,
    );
    expect(rows).toEqual([
      { price: 80, by: null, reason: '' },
      { price: 44, by: expect.any(String), reason: why[1] },
    ]);
    await inside(['channel', 'set', '6', 'price=80', 'enabled=true', 'name=DeepL', ...why]);
  });
});

describe('account adjust', () => {
  it('gives and takes, moves the expiry, and applies once per key', async () => {
    await setChars(api, main.session.userId, 1_000);
    const before = await account();
    const give = ['account', 'adjust', main.account, '--chars', '500', '--voice', '-3', '--days', '7'];
    const why = ['--reason', '补偿 outage', '--by', 'ops', '--key', 'k-1'];
    const ran = await operator([...give, ...why]);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toContain('characters: 1,000 → 1,500');
    expect(ran.out).toContain('voice: 20 → 17');
    const after = await account();
    expect(after).toMatchObject({ usableCharNum: 1_500, usableVoiceNum: 17, usableImageNum: before.usableImageNum });
    expect(Date.parse(`${after.expireDateTime}Z`) - Date.parse(`${before.expireDateTime}Z`)).toBe(7 * 86_400_000);

    expect((await inside([...give, ...why])).out).toContain('not repeated');
    expect((await inside([...give, '--images', '1', ...why])).code).toBe(1);
    const stranger = await makeMain(api);
    expect((await inside(['account', 'adjust', stranger.username, '--chars', '500', ...why])).code).toBe(1);
    expect(await account()).toEqual(after);
    const { rows } = await main.client.call(listAccountLogs, { logType: 'SYS_ADJUST' });
    expect(rows[0]).toMatchObject({
      managerName: 'ops',
      reason: '补偿 outage',
      charChangeNum: 500,
      minChangeNum: 10_080,
    });
  });

  it('rejects unknown members, reports in Chinese, and accepts ids, names and addresses', async () => {
    const taking = ['account', 'adjust', String(main.session.userId), '--chars=-999999', '--reason', 'x'];
    expect(await inside(taking, 'zh_CN.UTF-8')).toMatchObject({ code: 1, err: '余额不足\n' });
    const sub = await makeSub(api, main, 10);
    const ran = await inside(['account', 'adjust', sub.username, '--chars', '-10', '--reason', 'x', '--by', 'ops']);
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect((await account(sub)).usableCharNum).toBe(0);
    const days = await inside(['account', 'adjust', sub.username, '--days', '1', '--reason', 'x']);
    expect(days).toMatchObject({ code: 1, err: expect.stringContaining('main account') });
    const { rows } = await api.db.query('SELECT 1 FROM manager_action WHERE user_id = $1', [sub.session.userId]);
    expect(rows).toHaveLength(1);
  });
});

describe('seed --demo', () => {
  it('creates an active family through the product’s own commands, once', async () => {
    const seeded = async () => {
      const ran = await operator(['seed', '--demo']);
      expect(ran).toMatchObject({ code: 0, err: '' });
      const { demo } = JSON.parse(ran.out) as { demo: { account: string; password: string } };
      return demo;
    };
    const demo = await seeded();
    const visitor = new TestClient(api.url);
    const boss = visitor.as(await visitor.call(login, demo));
    const family = async () => [await boss.call(getUser, {}), await boss.call(listChildUsers, {})] as const;
    const [user, children] = await family();
    expect(user).toMatchObject({ memberGroupId: 3, createChildUser: true, enabled: 1 });
    expect(children.total).toBe(6);
    expect(children.rows.at(-1)).toMatchObject({ account: 'demo日韩', nickname: '日韩组', enabled: 1 });
    expect(children.rows[0]).toMatchObject({
      account: 'demo实习',
      enabled: 0,
      memberAccount: { usableCharNum: 10_000 },
    });
    const kinds = new Set((await boss.call(listAccountLogs, { pageSize: '100' })).rows.map((row) => row.logType));
    expect([...kinds].sort()).toEqual(
      ['DISTRIBUTION', 'OTHER', 'RECHARGE_ORDER_BY_MEMBER_GROUP', 'SYS_ADJUST', 'TRANSLATION_CONSUME'].sort(),
    );
    for (const account of ['demo日韩', 'demo拉美']) {
      const child = visitor.as(await visitor.call(login, { account, password: demo.password }));
      expect((await child.call(listAccountLogs, { logType: 'TRANSLATION_CONSUME' })).total).toBeGreaterThan(1);
    }
    const before = JSON.stringify((await family()).map((each) => ({ ...each, lastLoginLog: null })));
    expect(await seeded()).toEqual(demo);
    expect(JSON.stringify((await family()).map((each) => ({ ...each, lastLoginLog: null })))).toBe(before);
  });
});
