/** Members for operators: found by any key, on one page, changed with a reason (operators §10). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import type { memberDetails, memberRow } from '@yiqiao/contracts/operator/members';
import { login } from '@yiqiao/contracts/login';
import { listSessions } from '@yiqiao/contracts/sessions';
import { deleteUser, getUser } from '@yiqiao/contracts/user';

import type { z } from 'zod';
import { AdjustQuota } from '../src/operators/members/adjust-quota.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { adjust, buyPackage, makeMain, makeSub, PROFESSIONAL, setChars } from './support/family.js';
import { type Answer, type OperatorBrowser, TestOperators } from './support/operators.js';
import type { TestMember } from './support/test-members.js';

type Row = z.output<typeof memberRow>;
type Details = z.output<typeof memberDetails>;

let api: TestApi;
let operators: TestOperators;
let support: OperatorBrowser;
let viewer: OperatorBrowser;
let main: TestMember;
let sub: TestMember;
const REASON = 'compensation for the outage of Tuesday';

beforeAll(async () => {
  api = await startApi();
  operators = await TestOperators.start(api, { LIMIT_OPERATOR_SIGN_INS: '1000' });
  support = await operators.signIn(await operators.enrol('support-7', 'support'));
  viewer = await operators.signIn(await operators.enrol('viewer-1', 'viewer'));
  main = await makeMain(api);
  await buyPackage(api, main, PROFESSIONAL);
  sub = await makeSub(api, main, 700);
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

const id = (who: TestMember): number => who.session.userId;
const find = async (query: string, more = ''): Promise<Row[]> => {
  const { body } = await viewer.get(`/members?query=${encodeURIComponent(query)}${more}`);
  return (body.data as { rows: Row[] }).rows;
};
const ids = async (query: string, more?: string): Promise<number[]> =>
  (await find(query, more)).map(({ userId }) => userId);
const details = async (who: TestMember): Promise<Details> => (await viewer.get(`/members/${id(who)}`)).body.data;
const lastAction = async () => {
  const { rows } = await api.db.query<{ body: string }>('SELECT body FROM operator_action ORDER BY n DESC LIMIT 1');
  return JSON.parse(rows[0]?.body ?? '{}') as Record<string, unknown>;
};
const keyed = (browser: OperatorBrowser, path: string, body: object, key: string): Promise<Answer> =>
  browser.call('POST', path, body, { 'Idempotency-Key': key });

describe('a search', () => {
  it('finds a member by id, names, address, invite code, order number and command id', async () => {
    const { inviteCode } = await details(main);
    const { rows } = await api.db.query<{ cmd: string }>(
      'SELECT cmd_id AS cmd FROM account_log WHERE user_id = $1 LIMIT 1',
      [id(main)],
    );
    await api.db.query(
      `INSERT INTO recharge_order (no, user_id, family_id, pay_cmd, pay_channel, pay_status, member_group_id, plan_version_id, group_name,
         group_en_name, billing_mode, num, voice_num, image_num, minute_price, reference_channel_id, reference_price, sales_num, sale_price,
         amount, asked, created_at, expires_at)
       SELECT 'YQ2026112100000000000001', $1, $1, gen_random_uuid(), 'A', 'C', 3, max(id), 'x', 'x', 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, 0, now(), now()
       FROM plan_version`,
      [id(main)],
    );
    const keys = [`${id(main)}`, `#${id(main)}`, main.username, main.username.toUpperCase(), main.account];
    for (const key of [...keys, inviteCode ?? '', rows[0]?.cmd ?? '', 'yq2026112100000000000001'])
      expect((await ids(key))[0]).toBe(id(main));
    await api.db.query('DELETE FROM recharge_order');
  });

  it('finds parts of names, the exact ones first, and masks addresses', async () => {
    const [one, two] = [await makeMain(api), await makeMain(api)];
    await api.db.query(`UPDATE member SET nickname = '青禾家居' WHERE id = $1`, [id(one)]);
    await api.db.query(`UPDATE member SET nickname = '老青禾家' WHERE id = $1`, [id(two)]);
    expect(await ids('青禾')).toEqual([id(one), id(two)]);
    expect(await ids('禾家居')).toEqual([id(one)]);
    expect(await ids(one.username.slice(3, 9))).toContain(id(one));
    expect(await ids('%')).toEqual([]);
    expect(await ids('"\\a{,}')).toEqual([]);
    expect(await ids('no such member')).toEqual([]);
    const [row] = await find(main.account);
    expect(row).toMatchObject({
      userId: id(main),
      username: main.username,
      account: `${main.username.slice(0, 2)}***@example.com`,
      role: 'main',
      familyId: id(main),
      memberGroup: { name: '专业版', enName: expect.any(String), translationBillingMode: 'char' },
      children: 1,
      enabled: 1,
      state: 'enabled',
    });
    const [child] = await find(sub.username);
    expect(child).toMatchObject({ account: null, role: 'sub', familyId: id(main), usableCharNum: 700, state: 'low' });
    expect(child?.expireDateTime).toBe(row?.expireDateTime);
  });

  it('lists who signed in last, filters by state, and pages', async () => {
    const late = await makeMain(api);
    const { body } = await viewer.get('/members?pageSize=1');
    expect(body.data).toMatchObject({ rows: [{ userId: id(late) }], more: false });
    expect(await ids('', '&status=sub')).toEqual([id(sub)]);
    expect(await ids('', '&status=main')).not.toContain(id(sub));
    expect(await ids('', '&status=low')).not.toContain(id(main));
    await setChars(api, id(late), 10);
    expect(await ids('', '&status=low')).toEqual([id(late), id(sub)]);
    await api.db.query(`UPDATE member SET enabled = false WHERE id = $1`, [id(late)]);
    expect(await ids('', '&status=disabled')).toEqual([id(late)]);
    expect(await ids(late.username, '&status=main&pageNum=2')).toEqual([]);
    expect(await ids('', '&status=closed')).toEqual([]);
    expect((await viewer.get('/members?status=other')).status).toBe(422);
  });

  it('goes by indexes in every step', async () => {
    const client = await api.db.connect();
    try {
      await client.query('BEGIN; SET LOCAL enable_seqscan = off');
      const plan = async (sql: string): Promise<string> =>
        JSON.stringify((await client.query(`EXPLAIN (FORMAT JSON) ${sql}`)).rows);
      const name = 'lower(coalesce(nickname, last_name))';
      expect(await plan(`SELECT user_id FROM identity WHERE unique_key LIKE 'abc%'`)).toContain('identity_key_prefix');
      expect(await plan(`SELECT id FROM member WHERE ${name} LIKE 'abc%'`)).toContain('member_name_prefix');
      expect(await plan(`SELECT user_id FROM identity WHERE letter_runs(unique_key) @> '{abc}'`)).toContain(
        'identity_key_parts',
      );
      expect(await plan(`SELECT id FROM member WHERE letter_runs(${name}) @> '{abc}'`)).toContain('member_name_parts');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('is downloaded with masked addresses, and the action log has who took it', async () => {
    const { status, body, headers } = await viewer.get(`/members/export?query=${main.username}`);
    expect(status).toBe(200);
    expect(headers.get('Content-Disposition')).toMatch(/members-\d{4}-\d\d-\d\d-viewer-1\.csv/);
    const text = body.data as unknown as string;
    expect(text).toContain(String(id(main)));
    expect(text).toContain('***@example.com');
    expect(text).not.toContain(main.account);
    expect(await lastAction()).toMatchObject({ actor: 'viewer-1', action: 'members.export', after: { rows: 1 } });
  });
});

describe('a member’s page', () => {
  it('shows balances, family, settings and sign-ins', async () => {
    expect(await details(main)).toMatchObject({
      userId: id(main),
      role: 'main',
      account: expect.stringMatching(/^..\*\*\*@example\.com$/),
      memberGroup: { id: PROFESSIONAL },
      family: { accounts: 2, enabled: 2 },
      enabled: 1,
      twoStep: 0,
      sessions: [{ loginIp: '127.0.0.***' }],
      lastLogin: { sumDay: 1 },
    });
    const user = await main.client.call(getUser, {});
    expect((await details(main)).balance.charNum).toBe(user.memberAccount.usableCharNum);
    expect(await details(sub)).toMatchObject({ role: 'sub', mainUsername: main.username, account: null });
    const children = await viewer.get(`/members/${id(main)}/children`);
    expect(children.body.data).toMatchObject({ total: 1, rows: [{ userId: id(sub), usedCharNum: 0 }] });
    const logins = await viewer.get(`/members/${id(main)}/logins`);
    expect(logins.body.data).toMatchObject({ total: 1, rows: [{ loginIp: '127.0.0.***' }] });
    expect((await viewer.get(`/members/${id(main)}/orders`)).body.data).toEqual({ rows: [], total: 0 });
    expect((await viewer.get('/members/999999999')).status).toBe(404);
  });

  it('says where the balance comes from, and the sum is the balance', async () => {
    await adjust(api, id(main), { charChange: 250 });
    const { body } = await viewer.get(`/members/${id(main)}/sources`);
    const zero = { charNum: 0, voiceNum: 0, imageNum: 0 };
    expect(body.data).toMatchObject({
      since: expect.any(String),
      before: { charNum: 5_000 },
      parts: [
        { type: 'RECHARGE_ORDER_BY_MEMBER_GROUP', direction: 'in', charNum: 5_000_000, entries: 1 },
        { type: 'SYS_ADJUST', direction: 'in', charNum: 250, entries: 1 },
        { type: 'DISTRIBUTION', direction: 'out', charNum: -700, entries: 1 },
      ],
      now: { charNum: (await details(main)).balance.charNum },
      difference: zero,
    });
    const child = await viewer.get(`/members/${id(sub)}/sources`);
    expect(child.body.data).toMatchObject({ since: null, before: zero, now: { charNum: 700 }, difference: zero });
  });

  it('opens personal data for those who may, and the action log has what was opened', async () => {
    const reveal = { what: ['account', 'addresses'] };
    expect((await viewer.post(`/members/${id(main)}/reveal`, reveal)).body.code).toBe('OPERATOR_ROLE_REQUIRED');
    const { body } = await support.post(`/members/${id(main)}/reveal`, reveal);
    expect(body.data).toMatchObject({ account: main.account, addresses: [{ loginIp: '127.0.0.1' }], invoices: null });
    const action = await lastAction();
    expect(action).toMatchObject({
      actor: 'support-7',
      action: 'personalData.reveal',
      target: { kind: 'member', id: String(id(main)) },
      after: { opened: ['account', 'addresses'] },
    });
    expect(JSON.stringify(action)).not.toContain(main.account);
  });

  it('keeps notes, without their text in the action log, until the account is closed', async () => {
    const who = await makeMain(api);
    expect((await support.post(`/members/${id(who)}/notes`, { text: '大促期常夜间跑目录' })).body.data).toBe(true);
    expect((await details(who)).notes).toMatchObject([{ by: 'support-7', text: '大促期常夜间跑目录' }]);
    expect(JSON.stringify(await lastAction())).not.toContain('大促期');
    expect((await details(who)).actions).toMatchObject([{ actor: 'support-7', action: 'member.note' }]);
    await who.client.call(deleteUser, { userPassword: who.password });
    expect(await details(who)).toMatchObject({
      notes: [],
      username: null,
      account: null,
      closeDateTime: expect.any(String),
    });
    expect(await ids(String(id(who)))).toContain(id(who));
    expect((await support.post(`/members/${id(who)}/notes`, { text: 'late' })).status).toBe(404);
  });
});

describe('an operator', () => {
  it('signs a member out, on one device or on all', async () => {
    const who = await makeMain(api);
    const visitor = new TestClient(api.url);
    const other = visitor.as(await visitor.call(login, { account: who.username, password: who.password }));
    const sessions = (await details(who)).sessions;
    expect(sessions).toHaveLength(2);
    const one = { sessionId: sessions[0]?.id, reason: REASON };
    expect((await support.post(`/members/${id(who)}/sign-out`, one)).body.data).toEqual({ count: 1 });
    expect((await support.post(`/members/${id(who)}/sign-out`, one)).status).toBe(404);
    expect((await support.post(`/members/${id(who)}/sign-out`, { reason: 'short' })).status).toBe(422);
    expect((await support.post(`/members/${id(who)}/sign-out`, { reason: REASON })).body.data).toEqual({ count: 1 });
    expect(await lastAction()).toMatchObject({ action: 'member.signOut', reason: REASON, after: { ended: 1 } });
    for (const client of [other, who.client]) {
      const { body } = await client.send(listSessions, {});
      expect(body).toMatchObject({ code: 'SESSION_ENDED' });
    }
  });

  it('disables a main account with its sub-accounts, and enables it as it was', async () => {
    const boss = await makeMain(api);
    const [child, off] = [await makeSub(api, boss), await makeSub(api, boss)];
    await api.db.query('UPDATE member SET enabled = false WHERE id = $1', [id(off)]);
    const set = (enabled: 0 | 1) => support.post(`/members/${id(boss)}/enabled`, { enabled, reason: REASON });
    expect((await set(0)).body.data).toBe(true);
    expect(await lastAction()).toMatchObject({
      action: 'member.disable',
      before: { enabled: 1 },
      after: { enabled: 0 },
    });
    const visitor = new TestClient(api.url);
    const signIn = async (who: TestMember) =>
      (await visitor.send(login, { account: who.username, password: who.password })).body;
    for (const who of [boss, child]) {
      expect((await who.client.send(getUser, {})).body).toMatchObject({ code: 'SESSION_DISABLED' });
      expect(await signIn(who)).toMatchObject({ code: 'ACCOUNT_DISABLED' });
      expect((await find(who.username))[0]).toMatchObject({ state: 'disabled' });
    }
    await set(1);
    for (const who of [boss, child]) expect(await signIn(who)).toMatchObject({ success: true });
    expect(await signIn(off)).toMatchObject({ code: 'ACCOUNT_DISABLED' });
    const { rows } = await api.db.query(`SELECT 1 FROM operator_action WHERE target_id = $1`, [String(id(boss))]);
    await set(1);
    expect((await api.db.query(`SELECT 1 FROM operator_action WHERE target_id = $1`, [String(id(boss))])).rows).toEqual(
      rows,
    );
  });

  it('mails a code to reset the password with, to main accounts', async () => {
    const path = (who: TestMember) => `/members/${id(who)}/password-mail`;
    expect((await support.post(path(main))).body.data).toBe(true);
    const { rows } = await api.db.query(`SELECT purpose FROM verification_code ORDER BY id DESC LIMIT 1`);
    expect(rows).toEqual([{ purpose: 'reset' }]);
    expect(await lastAction()).toMatchObject({ action: 'member.passwordMail' });
    expect((await support.post(path(main))).body.code).toBe('VCODE_TOO_SOON');
    expect((await support.post(path(sub))).body.code).toBe('SUB_WITHOUT_MAILBOX');
  });
});

describe('adjusting quota', () => {
  it('changes the account once per key, tells the member, and records before and after', async () => {
    const who = await makeMain(api);
    await setChars(api, id(who), 1_000);
    const body = { change: { charNum: 500, voiceNum: -3, days: 7 }, reason: REASON };
    const path = `/members/${id(who)}/adjust`;
    const first = await keyed(support, path, body, 'k-1');
    expect(first.body.data).toMatchObject({ before: { charNum: 1_000 }, after: { charNum: 1_500 }, applied: true });
    expect((await keyed(support, path, body, 'k-1')).body.data).toEqual(first.body.data);
    expect((await keyed(support, path, { ...body, change: { charNum: 1 } }, 'k-1')).body.code).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect((await details(who)).balance.charNum).toBe(1_500);
    const { rows } = await who.client.call(listAccountLogs, { logType: 'SYS_ADJUST' });
    expect(rows[0]).toMatchObject({ managerName: 'support-7', reason: REASON, charChangeNum: 500 });
    expect(await lastAction()).toMatchObject({
      actor: 'support-7',
      action: 'quota.adjust',
      target: { kind: 'member', id: String(id(who)) },
      before: { charNum: 1_000, voiceNum: 20 },
      after: { charNum: 1_500, voiceNum: 17 },
      reason: REASON,
      cmdId: expect.any(String),
    });
  });

  it('is refused below zero, above the limit, without a reason, and for a viewer', async () => {
    const path = `/members/${id(main)}/adjust`;
    const send = async (change: object, reason = REASON, who = support) =>
      (await who.post(path, { change, reason })).body.code;
    expect(await send({ charNum: 100_001 })).toBe('APPROVAL_REQUIRED');
    expect(await send({ imageNum: -101 })).toBe('APPROVAL_REQUIRED');
    expect(await send({ voiceNum: -100_000_000 })).toBe('APPROVAL_REQUIRED');
    expect(await send({ imageNum: 100 })).toBeUndefined();
    expect(await send({ charNum: 1 }, 'too short')).toBe('VALIDATION_FAILED');
    expect(await send({})).toBe('VALIDATION_FAILED');
    expect(await send({ charNum: 1 }, REASON, viewer)).toBe('OPERATOR_ROLE_REQUIRED');
    const poor = `/members/${id(sub)}/adjust`;
    expect((await support.post(poor, { change: { charNum: -701 }, reason: REASON })).body.code).toBe(
      'QUOTA_NOT_ENOUGH',
    );
    expect((await support.post(poor, { change: { days: 1 }, reason: REASON })).body.code).toBe('EXPIRY_OF_MAIN');
  });

  it('is in the action log under the command line’s name, too', async () => {
    const { rows } = await api.db.query<{ id: number }>(`SELECT id FROM manager WHERE name = 'tester'`);
    const command = new AdjustQuota(
      id(sub),
      { charNum: 1, voiceNum: 0, imageNum: 0, days: 0 },
      {
        author: () => Promise.resolve({ managerId: Number(rows[0]?.id), reason: 'by hand' }),
        actor: { actor: 'cli:root' },
        cmdId: '0199f000-0000-7000-8000-000000000001',
      },
    );
    expect(await operators.app.get(CommandBus).execute(command)).toMatchObject({ applied: true });
    expect(await operators.app.get(CommandBus).execute(command)).toMatchObject({ applied: false });
    expect(await lastAction()).toMatchObject({ actor: 'cli:root', action: 'quota.adjust', reason: 'by hand' });
  });
});

describe('a request', () => {
  it('adjusts above the limit once a second person approves, in the name of who asked', async () => {
    const who = await makeMain(api);
    const before = (await details(who)).balance.charNum;
    const payload = { charNum: 200_000 };
    const made = await support.post('/requests', { kind: 'quota.adjust', target: id(who), payload, reason: REASON });
    const { id: request } = made.body.data as { id: number };
    expect((await details(who)).balance.charNum).toBe(before);
    const { body } = await viewer.get(`/requests/${request}`);
    expect(body.data).toMatchObject({
      title: { zh: '调整额度：+200,000 字符' },
      amount: expect.any(Number),
      changes: [{ before, after: before + 200_000 }],
    });
    const finance = await operators.enrol('finance-2', 'finance');
    const checker = await operators.signIn(finance);
    const decision = { reason: 'agreed', code: await operators.freshCode(finance) };
    const decided = await checker.post(`/requests/${request}/approve`, decision);
    expect(decided.body.data).toMatchObject({ state: 'done' });
    expect((await details(who)).balance.charNum).toBe(before + 200_000);
    const { rows } = await who.client.call(listAccountLogs, { logType: 'SYS_ADJUST' });
    expect(rows[0]).toMatchObject({ managerName: 'support-7', reason: REASON, charChangeNum: 200_000 });
    expect((await details(who)).actions.find(({ action }) => action === 'quota.adjust')).toMatchObject({
      actor: 'finance-2',
      after: { charNum: before + 200_000 },
    });
    const poor = { kind: 'quota.adjust', target: id(who), payload: { charNum: -9_999_999 }, reason: REASON };
    expect((await support.post('/requests', poor)).body.code).toBe('QUOTA_NOT_ENOUGH');
    const days = { kind: 'quota.adjust', target: id(sub), payload: { days: 900 }, reason: REASON };
    expect((await support.post('/requests', days)).body.code).toBe('EXPIRY_OF_MAIN');
  });

  it('grants a plan once a second person approves', async () => {
    const who = await makeMain(api);
    const payload = { memberGroupId: PROFESSIONAL, quantity: 1 };
    const made = await support.post('/requests', { kind: 'plan.grant', target: id(who), payload, reason: REASON });
    const { id: request } = made.body.data as { id: number };
    const owner = await operators.enrol('owner-2', 'owner');
    const checker = await operators.signIn(owner);
    const decision = { reason: 'agreed', code: await operators.freshCode(owner) };
    expect((await checker.post(`/requests/${request}/approve`, decision)).body.data).toMatchObject({ state: 'done' });
    expect((await details(who)).memberGroup.id).toBe(PROFESSIONAL);
  });
});

describe('granting a plan', () => {
  it('shows what it would leave, and takes a second person for all but small ones', async () => {
    const who = await makeMain(api);
    const path = `/members/${id(who)}/grant`;
    const { body } = await viewer.get(`${path}?memberGroupId=${PROFESSIONAL}&quantity=1`);
    expect(body.data).toMatchObject({
      before: { charNum: 5_000 },
      after: { charNum: 5_005_000, memberGroup: '专业版' },
      needsApproval: true,
    });
    const grant = { change: { memberGroupId: PROFESSIONAL, quantity: 1 }, reason: REASON };
    expect((await support.post(path, grant)).body.code).toBe('APPROVAL_REQUIRED');
    await api.db.query('UPDATE member_group SET num = 90000, voice_num = 10, image_num = 10 WHERE id = $1', [
      PROFESSIONAL,
    ]);
    const granted = await keyed(support, path, grant, 'g-1');
    expect(granted.body.data).toMatchObject({ after: { charNum: 95_000, memberGroup: '专业版' }, applied: true });
    expect((await keyed(support, path, grant, 'g-1')).body.data).toEqual(granted.body.data);
    expect(await lastAction()).toMatchObject({ action: 'plan.grant', after: { memberGroup: '专业版' } });
    expect((await support.post(`/members/${id(sub)}/grant`, grant)).body.code).toBe('PLAN_FOR_MAIN');
    const trial = { ...grant, change: { memberGroupId: 1, quantity: 1 } };
    expect((await support.post(path, trial)).body.code).toBe('TRIAL_ONCE');
    const { body: plans } = await viewer.get('/members/plans');
    expect((plans.data as { id: number }[]).map((plan) => plan.id)).toContain(PROFESSIONAL);
  });
});
