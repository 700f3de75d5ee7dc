/** Operators view a member's console read-only (operators §10; docs/decisions/0058). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { endpoints } from '@yiqiao/contracts/endpoints';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { login } from '@yiqiao/contracts/login';
import { listLoginLogs } from '@yiqiao/contracts/login-log';
import { listSessions, openView, signOutEverywhere } from '@yiqiao/contracts/sessions';
import { changePassword, getUser } from '@yiqiao/contracts/user';
import { InviteOperator } from '../src/operators/enrol.js';
import { PruneSessions } from '../src/sessions/prune-sessions.js';
import { startApi, type TestApi } from './support/api.js';
import { headersOf, type Session, TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import { type OperatorBrowser, type TestOperator, TestOperators } from './support/operators.js';
import type { TestMember } from './support/test-members.js';

let api: TestApi;
let operators: TestOperators;
let operator: TestOperator;
let browser: OperatorBrowser;
let main: TestMember;

beforeAll(async () => {
  api = await startApi();
  operators = await TestOperators.start(api, { LIMIT_OPERATOR_SIGN_INS: '1000' });
  operator = await operators.enrol('support-7', 'support');
  main = await makeMain(api);
});
beforeEach(async () => {
  browser = await operators.signIn(operator);
});
afterAll(async () => {
  await operators.stop();
  await api.stop();
});

const REASON = 'the member asked us to look';
const visitor = (): TestClient => new TestClient(api.url);
const linkTo = async (who = main): Promise<string> => {
  const { body } = await browser.post(`/members/${who.session.userId}/view-as`);
  const { url } = body.data as { url: string };
  return new URL(url).hash.replace('#view=', '');
};
const view = async (who = main): Promise<TestClient> => {
  const opened = await visitor().call(openView, { token: await linkTo(who) });
  return visitor().as(opened);
};
const codeOf = async (client: TestClient): Promise<string | undefined> => {
  const { body } = await client.send(getUser, {});
  return body.success ? undefined : body.code;
};

describe('the link', () => {
  it('opens the account once, names the operator, and is logged', async () => {
    const { body } = await browser.post(`/members/${main.session.userId}/view-as`);
    const { url } = body.data as { url: string };
    expect(url).toMatch(/\/UserCenterIndex#view=[\w-]{43}$/);
    const token = new URL(url).hash.replace('#view=', '');
    const opened = await visitor().call(openView, { token });
    expect(opened).toMatchObject({ userId: main.session.userId, viewedBy: 'support-7' });
    expect(await visitor().as(opened).call(getUser, {})).toMatchObject({ userId: main.session.userId });
    for (const used of [token, 'x'.repeat(43)]) {
      const again = await visitor().send(openView, { token: used });
      expect(again.body).toMatchObject({ code: 'VIEW_LINK_USED' });
    }
    const { rows } = await api.db.query<{ body: string }>(
      `SELECT body FROM operator_action WHERE action = 'member.viewAs' ORDER BY n DESC LIMIT 1`,
    );
    expect(JSON.parse(rows[0]?.body ?? '')).toMatchObject({ actor: 'support-7', after: { until: expect.any(String) } });
    expect(rows[0]?.body).not.toContain(token);
  });

  it('is good for a minute, and for accounts that may sign in', async () => {
    const late = await linkTo();
    await api.db.query(`UPDATE member_view SET link_until = now() WHERE session_digest IS NULL`);
    expect((await visitor().send(openView, { token: late })).body).toMatchObject({ code: 'VIEW_LINK_USED' });
    const who = await makeMain(api);
    const token = await linkTo(who);
    await browser.post(`/members/${who.session.userId}/enabled`, { enabled: 0, reason: REASON });
    expect((await visitor().send(openView, { token })).body).toMatchObject({ code: 'VIEW_LINK_USED' });
    const refused = await browser.post(`/members/${who.session.userId}/view-as`);
    expect(refused.body.code).toBe('ACCOUNT_DISABLED');
    expect((await browser.post('/members/999999999/view-as')).status).toBe(404);
  });
});

/** Whether a view may call it: it shows something, and nothing else. */
const isRead = ({ method, file, stream, changes }: Endpoint): boolean =>
  method === 'GET' && !file && !stream && !changes;
const forOperators = ({ access }: Endpoint): boolean => access === 'operator';
const refused = endpoints.filter((endpoint) => !isRead(endpoint) && !forOperators(endpoint));
const allowed = endpoints.filter((endpoint) => isRead(endpoint) && !forOperators(endpoint));

describe('a view', () => {
  let session: Session;
  beforeAll(async () => {
    browser = await operators.signIn(operator);
    session = await visitor().call(openView, { token: await linkTo() });
  });
  const send = (endpoint: Endpoint) => {
    const path = endpoint.path.replaceAll(/:[a-zA-Z]+/g, '1');
    const headers = {
      ...headersOf(session),
      ...(endpoint.method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
    };
    const body = endpoint.method === 'GET' ? {} : { body: '{}' };
    return fetch(`${api.url}/client-user${path}`, { method: endpoint.method, headers, ...body });
  };

  it.each(refused.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))(
    'may not %s %s',
    async (_, __, endpoint) => {
      const answer = await send(endpoint);
      expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'VIEW_ONLY']);
    },
  );

  it.each(allowed.map((endpoint) => [endpoint.method, endpoint.path, endpoint] as const))(
    'may %s %s',
    async (_, __, endpoint) => {
      const answer = await send(endpoint);
      expect([401, 403]).not.toContain(answer.status);
      await answer.body?.cancel();
    },
  );

  it('is none of the member’s devices and sign-ins', async () => {
    expect(await main.client.call(listSessions, {})).toHaveLength(1);
    expect((await main.client.call(listLoginLogs, {})).total).toBe(1);
    const { rows } = await api.db.query<{ login_ip: string | null }>(
      'SELECT login_ip FROM session WHERE view_until IS NOT NULL',
    );
    expect(new Set(rows.map((row) => row.login_ip))).toEqual(new Set([null]));
    expect((await api.db.query('SELECT 1 FROM member_device WHERE user_id = $1', [main.session.userId])).rowCount).toBe(
      1,
    );
    expect(await main.client.call(signOutEverywhere, { keepCurrent: 1 })).toEqual({ count: 0 });
    expect(await codeOf(visitor().as(session))).toBeUndefined();
  });

  it('does not count among the sessions that a member may have', async () => {
    const who = await makeMain(api);
    const looking = await view(who);
    for (let i = 0; i < 20; i++) await visitor().call(login, { account: who.username, password: who.password });
    expect(await codeOf(looking)).toBeUndefined();
  });
});

describe('a view ends', () => {
  it('after a quarter of an hour', async () => {
    const client = await view();
    const { rows } = await api.db.query<{ left: number }>(
      `SELECT extract(epoch FROM max(view_until) - now())::float8 AS left FROM session`,
    );
    expect(rows[0]?.left).toBeGreaterThan(880);
    expect(rows[0]?.left).toBeLessThanOrEqual(900);
    await api.db.query(`UPDATE session SET view_until = now() WHERE view_until IS NOT NULL`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await codeOf(client)).toBe('SESSION_UNKNOWN');
  });

  const within = async (client: TestClient, end: () => Promise<unknown>): Promise<void> => {
    expect(await codeOf(client)).toBeUndefined();
    await end();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await codeOf(client)).toMatch(/^SESSION_(ENDED|DISABLED)$/);
  };

  it('when the operator signs out, and so does an unused link', async () => {
    const token = await linkTo();
    await within(await view(), () => browser.post('/sign-out'));
    expect((await visitor().send(openView, { token })).body).toMatchObject({ code: 'VIEW_LINK_USED' });
  });

  it('when the operator’s sessions end', async () => {
    const again = new InviteOperator({ name: 'support-7', role: 'support', renew: true }, { actor: 'cli:test' });
    await within(await view(), () => operators.app.get(CommandBus).execute(again));
  });

  it('when the member is disabled or changes the password', async () => {
    const who = await makeMain(api);
    const path = `/members/${who.session.userId}/enabled`;
    await within(await view(who), () => browser.post(path, { enabled: 0, reason: REASON }));
    const other = await makeMain(api);
    const change = { oldPassword: other.password, password: 'another-secret' };
    await within(await view(other), () => other.client.call(changePassword, change));
  });

  it('and its link is forgotten with old sessions', async () => {
    await view();
    await api.db.query(`UPDATE member_view SET until = now() - interval '1 year'`);
    await api.app.get(CommandBus).execute(new PruneSessions());
    expect((await api.db.query('SELECT 1 FROM member_view')).rowCount).toBe(0);
  });
});
