/** Alerts fire by their real cause: the product's own processes in trouble, their real figures, Prometheus' own judgement (docs/decisions/0066). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { payOrder } from '@yiqiao/contracts/orders';
import { changeChannel } from '@yiqiao/contracts/plans';
import { translateText } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { TestClient } from './support/client.js';
import { valueOf } from './support/exposition.js';
import { makeMain } from './support/family.js';
import { type Measured, startMeasured } from './support/measured.js';
import { STANDARD_ORDER } from './support/orders.js';
import { spawnApi, spawnProgram } from './support/process.js';
import { firing as allFiring, type Moment } from './support/promtool.js';
import { breakFor, openForm, payAtCashier } from './support/sandbox-gateways.js';
import { breakVendor, mendVendor, sandboxAccount } from './support/sandbox-vendors.js';
import type { TestMember } from './support/test-members.js';
import { upstreamsFile } from './support/vendor-environment.js';
import { waitUntil } from './support/wait-until.js';

const [broken, capped] = [sandboxAccount('google', 'alerts'), sandboxAccount('deepl', 'alerts', { charsPerDay: 12 })];

let removeFile: () => Promise<void>;
let product: Measured;
let quiet: Moment;

const read = async (): Promise<Moment> => ({
  api: await product.scrape('api'),
  worker: await product.scrape('worker'),
  operators: await product.scrape('operators'),
});
/** When the worker shows this. It reads the state of the stores every fourteen seconds. */
const whenWorker = (name: string, shows: (value: number) => boolean): Promise<Moment> =>
  waitUntil(read, ({ worker }) => worker !== undefined && shows(valueOf(worker, name)));

/** But for what says how busy the machine of the tests is. */
const firing = async (...when: Parameters<typeof allFiring>): Promise<string[]> =>
  (await allFiring(...when)).filter((name) => name !== 'EventLoopBlocked');

async function memberOn(code: 'google' | 'deepl' | 'offline'): Promise<{ member: TestMember; client: TestClient }> {
  const member = await makeMain(product.api);
  const client = new TestClient(product.url, member.session);
  if (code !== 'offline') await client.call(changeChannel, { targetChannelId: CHANNELS[code].id });
  return { member, client };
}
async function order(client: TestClient): Promise<string> {
  const { orderNo, scanQRCodeUrl } = await client.call(payOrder, STANDARD_ORDER);
  await openForm(scanQRCodeUrl);
  return orderNo;
}
const ago = (minutes: number): string => `now() - interval '${minutes} minutes'`;
const SENTENCE = { source: 'en', target: 'fr', text: 'Good morning' } as const;

beforeAll(async () => {
  const { file, remove } = await upstreamsFile([broken, capped]);
  removeFile = remove;
  product = await startMeasured({ TRANSLATION_UPSTREAMS_FILE: file });
  const { client } = await memberOn('google');
  await client.call(translateText, SENTENCE);
  quiet = await waitUntil(
    read,
    ({ operators, worker }) =>
      operators !== undefined &&
      worker !== undefined &&
      valueOf(operators, 'yiqiao_workers', { state: 'running' }) > 0 &&
      valueOf(worker, 'yiqiao_scheduled_job_age_seconds', { job: 'roll-up-usage' }) > 0,
  );
});
afterAll(async () => {
  await product.stop();
  await removeFile();
});

it('none fires while all is well', async () => {
  expect(await firing(quiet)).toEqual([]);
});

it('what was never done is noticed after a day', async () => {
  expect(await firing(quiet, { hours: 28 })).toEqual(['NightlyTaskNeverDone']);
});

describe('a vendor', () => {
  it('that refuses its only account', async () => {
    const { client } = await memberOn('google');
    const before = await read();
    await breakVendor(broken, { kind: 'auth' });
    for (let i = 0; i < 25; i++) await client.send(translateText, { ...SENTENCE, text: `Good morning, number ${i}` });
    const now = await read();
    await mendVendor(broken);
    expect(await firing(now)).toEqual(['VendorBreakerOpen', 'VendorDown']);
    const during = await firing(now, { before, hours: 1 });
    expect(during).toEqual(expect.arrayContaining(['RequestsFail', 'RequestsFailSlowly']));
    // Twenty-five in ten minutes, as they were.
    expect(await firing(now, { before, hours: 1 / 6 })).toEqual(expect.arrayContaining(['TranslationsFail']));
  });

  it('whose account has used its day', async () => {
    const { client } = await memberOn('deepl');
    await client.call(translateText, SENTENCE);
    expect(await firing(await read())).toEqual(expect.arrayContaining(['VendorCapReached']));
  });
});

describe('money', () => {
  it('that buys nothing', async () => {
    const { client } = await memberOn('offline');
    const orderNo = await order(client);
    await breakFor(orderNo, { mode: 'wrong-amount', in: 'notifications' });
    await payAtCashier(orderNo, 'notify');
    const now = await whenWorker('yiqiao_payments_exceptions', (count) => count > 0);
    expect(await firing(now)).toEqual(expect.arrayContaining(['PaymentsNeedDecision']));
  });

  it('of a member whose ledger an audit has stopped', async () => {
    const { member, client } = await memberOn('offline');
    const orderNo = await order(client);
    const tamper = (by: number): Promise<unknown> =>
      product.api.db.query('UPDATE member_account SET usable_char_num = usable_char_num + $2 WHERE user_id = $1', [
        member.session.userId,
        by,
      ]);
    await tamper(1);
    const audit = spawnProgram('operator', product.api.env, ['ledger', 'audit']);
    expect(await audit.exited).toBe(1);
    await tamper(-1);
    await payAtCashier(orderNo, 'notify');
    const stored = `SELECT FROM pay_notification WHERE order_no = $1 AND outcome IS NULL`;
    await waitUntil(
      () => product.api.db.query(stored, [orderNo]),
      ({ rowCount }) => rowCount === 1,
    );
    await product.api.db.query(`UPDATE pay_notification SET received_at = ${ago(6)} WHERE order_no = $1`, [orderNo]);
    const now = await whenWorker('yiqiao_payments_uncredited_age_seconds', (seconds) => seconds > 300);
    expect(await firing(now)).toEqual(expect.arrayContaining(['LedgerDiffers', 'PaymentNotCredited']));
    expect((await auditLedger(product.api.db, {})).difference).toBeNull();
  });

  it('that an api reserved before it was killed, and nobody releases', async () => {
    const { member } = await memberOn('offline');
    const doomed = await spawnApi(product.api.env, { FAILPOINT: 'after-hold-commit' });
    const client = new TestClient(doomed.url, member.session);
    await expect(
      client.send(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' }),
    ).rejects.toThrow();
    await product.api.db.query(
      `UPDATE ledger_hold SET created_at = ${ago(10)}, expires_at = now() + interval '1 hour' WHERE released_at IS NULL`,
    );
    const now = await whenWorker('yiqiao_ledger_holds_oldest_age_seconds', (seconds) => seconds > 300);
    expect(await firing(now)).toEqual(expect.arrayContaining(['HoldsAreStale']));
    await product.api.db.query('UPDATE ledger_hold SET expires_at = now() WHERE released_at IS NULL');
  });
});

describe('work', () => {
  it('an event that this version does not know, and a mail that no server takes', async () => {
    await product.api.db.query(
      `INSERT INTO outbox (fact, recorded_at, relayed_at) VALUES ('{"type": "OfNextVersion"}', ${ago(10)}, NULL),
        ('{"type": "MailRecorded", "mailId": 0}', ${ago(10)}, now() + interval '1 hour')`,
    );
    const now = await whenWorker('yiqiao_outbox_oldest_age_seconds', (seconds) => seconds > 300);
    expect(await firing(now)).toEqual(expect.arrayContaining(['MailOld', 'OutboxOld']));
    await product.api.db.query("DELETE FROM outbox WHERE fact->>'type' = 'OfNextVersion' OR fact->>'mailId' = '0'");
  });

  it('an audit that ended without a result', async () => {
    await product.api.db.query(
      `INSERT INTO audit_run (scope, state, started_by, started_at, finished_at) VALUES ('all', 'failed', 'system', ${ago(1)}, now())`,
    );
    const now = await whenWorker('yiqiao_nightly_age_seconds', (seconds) => seconds > 0);
    expect(await firing(now)).toEqual(expect.arrayContaining(['AuditFailed']));
  });

  it('a worker that was killed', async () => {
    await product.stopWorker();
    const silent = async (): Promise<Moment> => ({
      api: await product.scrape('api'),
      operators: await product.scrape('operators'),
    });
    const now = await waitUntil(
      silent,
      ({ api }) => api !== undefined && valueOf(api, 'yiqiao_workers', { state: 'running' }) === 0,
    );
    const found = await firing(now);
    expect(found).toEqual(expect.arrayContaining(['StateUnknown', 'WorkerSilent']));
    await product.startWorker();
    const again = await waitUntil(
      read,
      ({ api }) => api !== undefined && valueOf(api, 'yiqiao_workers', { state: 'running' }) > 0,
    );
    expect((await firing(again)).filter((name) => ['StateUnknown', 'WorkerSilent'].includes(name))).toEqual([]);
  });
});
