/** The two months of the demo family that `npm start` makes: by the product's own commands, dated by a clock that is set. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { listAccountLogs } from '@yiqiao/contracts/account-log';
import { login } from '@yiqiao/contracts/login';
import { listOrders } from '@yiqiao/contracts/orders';
import { listChildUsers } from '@yiqiao/contracts/sub-accounts';
import { listTranslationLogs } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { DAY_MS } from '@yiqiao/domain/limits';
import { seedDemo } from '../src/operator/demo.js';
import { seedDemoHistory } from '../src/operator/prepare.js';
import { loadConfig } from '../src/platform/config.js';
import { startApi, type TestApi } from './support/api.js';
import { TestClient } from './support/client.js';
import { type ApiProcess, spawnSandbox } from './support/process.js';

let sandbox: Pick<ApiProcess, 'url' | 'stop'>;
let api: TestApi;
let demo: TestClient;

beforeAll(async () => {
  sandbox = await spawnSandbox();
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const gateways = { SANDBOX_URL: sandbox.url, WECHAT_PAY_URL: sandbox.url };
  api = await startApi({ ...gateways, LIMIT_TRANSLATION_PER_SECOND: '1000', CLOSE_SIGNING_KEY: key });
  expect(await seedDemoHistory(loadConfig(api.env))).toBe(true);
  const { account, password } = await seedDemo(api.app);
  const visitor = new TestClient(api.url);
  demo = visitor.as(await visitor.call(login, { account, password }));
}, 120_000);
// api.stop() audits the whole ledger and the schema, whose defaults the clock has changed for a while.
afterAll(async () => {
  await api.stop();
  await sandbox.stop();
});

it('begins two months ago and leaves the family on its plan with sub-accounts at work', async () => {
  const user = await demo.call(getUser, {});
  expect(user.memberGroup).toMatchObject({ name: '专业版', translationBillingMode: 'char' });
  const { rows } = await api.db.query<{ registered: Date; first: Date; last: Date; days: number }>(`
    SELECT (SELECT registered_at FROM member WHERE id = family_id) AS registered, min(created_at) AS first,
      max(created_at) AS last, count(DISTINCT (created_at AT TIME ZONE 'Asia/Shanghai')::date)::int AS days FROM account_log`);
  const { registered, first, last, days } = rows[0]!;
  expect(Math.round((Date.now() - registered.getTime()) / DAY_MS)).toBeGreaterThanOrEqual(60);
  expect(first).toEqual(registered);
  expect(last.getTime()).toBeLessThan(Date.now());
  expect(days).toBeGreaterThan(45);
  const children = (await demo.call(listChildUsers, {})).rows;
  expect(children.map(({ nickname }) => nickname).sort()).toEqual(
    ['日韩组', '拉美组', '欧洲组', '东南亚组', '中东组', '实习生'].sort(),
  );
  expect(children.filter(({ usedCharTotal }) => usedCharTotal > 0)).toHaveLength(children.length);
});

it('has purchases, a conversion there and back, distributions, refunds, and orders that came to nothing', async () => {
  const orders = (await demo.call(listOrders, { pageSize: '100' })).rows;
  expect(
    orders
      .map(({ payStatus }) => payStatus)
      .filter((status) => status !== 'P')
      .sort(),
  ).toEqual(['C', 'T']);
  const { rows: refunds } = await api.db.query(
    'SELECT paid_at < refunded_at AS later FROM payment WHERE refund_state = $1',
    ['done'],
  );
  expect(refunds).toEqual([{ later: true }, { later: true }]);
  const { rows: types } = await api.db.query<{ log_type: number; entries: number }>(
    'SELECT log_type, count(*)::int AS entries FROM account_log WHERE user_id = family_id GROUP BY 1 ORDER BY 1',
  );
  expect(Object.fromEntries(types.map(({ log_type: type, entries }) => [type, entries]))).toMatchObject({ 2: 2, 3: 4 });
  expect((await demo.call(listAccountLogs, {})).total).toBeGreaterThan(100);
});

it('logs what was translated, what failed and what was free', async () => {
  const { rows } = await api.db.query<{ status: number; free: boolean; lines: number }>(
    'SELECT status, free IS NOT NULL AS free, count(*)::int AS lines FROM translation_log GROUP BY 1, 2 ORDER BY 1, 2',
  );
  expect(rows).toMatchObject([
    { status: 1, free: false },
    { status: 1, free: true },
    { status: 2, free: false },
  ]);
  expect((await demo.call(listTranslationLogs, {})).total).toBeGreaterThan(100);
});

it('has closed every day that is over, and asks for an audit', async () => {
  const { rows: closes } = await api.db.query<{ date: string }>('SELECT date::text FROM ledger_close ORDER BY n');
  const [first = ''] = closes.map(({ date }) => date);
  const days = closes.map((_, i) => new Date(Date.parse(first) + i * DAY_MS).toISOString().slice(0, 10));
  expect(closes.map(({ date }) => date)).toEqual(days);
  expect(days.length).toBeGreaterThanOrEqual(60);
  const { rows: runs } = await api.db.query('SELECT scope, started_by, state FROM audit_run');
  expect(runs).toEqual([{ scope: 'all', started_by: 'system', state: 'waiting' }]);
});

it('leaves no work of the past, no clock, and is made once', async () => {
  const { rows } = await api.db.query(`SELECT
    (SELECT count(*)::int FROM outbox WHERE done_at IS NULL AND fact->>'type' <> 'AuditRunRequested') AS waiting,
    (SELECT count(*)::int FROM member_account a LEFT JOIN usage_mark m USING (user_id) WHERE a.entry_seq > coalesce(m.rolled_seq, 0)) AS uncounted,
    (SELECT count(*)::int FROM pg_namespace WHERE nspname = 'set_clock') AS clocks`);
  expect(rows).toEqual([{ waiting: 0, uncounted: 0, clocks: 0 }]);
  expect(await seedDemoHistory(loadConfig(api.env))).toBe(false);
});
