/**
 * Alerts fire by their real cause: the product's own processes in trouble, their real figures, Prometheus' own judgement (docs/decisions/0066). Those
 * about nights and books are in alerts-nights.e2e.ts, about machines and load in alerts-machines.e2e.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { payOrder } from '@yiqiao/contracts/orders';
import { changeChannel } from '@yiqiao/contracts/plans';
import { translateText } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import { auditLedger } from '../src/ledger/audit/audit.js';
import { CancelAuditRun, StartAuditRun } from '../src/operators/audits/audit-runs.js';
import { TestClient } from './support/client.js';
import { type Exposition, valueOf } from './support/exposition.js';
import { makeMain } from './support/family.js';
import { type Measured, startMeasured } from './support/measured.js';
import { STANDARD_ORDER } from './support/orders.js';
import { spawnApi, spawnProgram } from './support/process.js';
import { expectAlerts, type Moment } from './support/promtool.js';
import { breakFor, openForm, payAtCashier } from './support/sandbox-gateways.js';
import { breakVendor, mendVendor, sandboxAccount } from './support/sandbox-vendors.js';
import type { TestMember } from './support/test-members.js';
import { upstreamsFile } from './support/vendor-environment.js';
import { waitUntil } from './support/wait-until.js';

const [broken, capped] = [sandboxAccount('google', 'alerts'), sandboxAccount('deepl', 'alerts', { charsPerDay: 12 })];

let removeFile: () => Promise<void>;
let product: Measured;
let quiet: Moment;

/** What tests leave behind: breakers close when asked, a cap holds for the day, a lock until it is lifted; the worker remembers what it has read. */
const beside = [
  ...['VendorBreakerOpen', 'VendorDown', 'VendorCapReached', 'PaymentsNeedDecision', 'LedgerDiffers'],
  ...['PaymentNotCredited', 'HoldsAreStale', 'AuditFailed'],
];

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
  product = await startMeasured({ TRANSLATION_UPSTREAMS_FILE: file, LOG_LEVEL: 'warn' });
  const { client } = await memberOn('google');
  await client.call(translateText, SENTENCE);
  quiet = await waitUntil(
    product.moment,
    ({ operators, worker }) =>
      operators !== null &&
      worker !== null &&
      valueOf(operators, 'yiqiao_workers', { state: 'running' }) > 0 &&
      valueOf(worker, 'yiqiao_scheduled_job_age_seconds', { bullmq_job_name: 'roll-up-usage' }) > 0,
  );
});
afterAll(async () => {
  await product.stop();
  await removeFile();
});

it('none fires while all is well', async () => {
  await expectAlerts([], quiet);
});

it('what was never done is noticed after a day', async () => {
  await expectAlerts(['NightlyTaskNeverDone'], quiet, { hours: 28 });
});

describe('a vendor', () => {
  it('that refuses its only account', async () => {
    const { client } = await memberOn('google');
    const before = await product.moment();
    await breakVendor(broken, { kind: 'auth' });
    for (let i = 0; i < 25; i++) await client.send(translateText, { ...SENTENCE, text: `Good morning, number ${i}` });
    const now = await product.moment();
    await mendVendor(broken);
    await expectAlerts(['VendorBreakerOpen', 'VendorDown'], now);
    await expectAlerts(['RequestsFail', 'RequestsFailSlowly'], now, { before, hours: 1, beside });
    // Twenty-five in ten minutes, as they were.
    const also = [...beside, 'RequestsFail', 'RequestsFailSlowly'];
    await expectAlerts(['TranslationsFail'], now, { before, hours: 1 / 6, beside: also });
  });

  it('whose account has used its day', async () => {
    const { client } = await memberOn('deepl');
    await client.call(translateText, SENTENCE);
    await expectAlerts(['VendorCapReached'], await product.moment(), { beside });
  });
});

describe('money', () => {
  it('that buys nothing', async () => {
    const { client } = await memberOn('offline');
    const orderNo = await order(client);
    // In its answers as well: the worker asks after eight seconds, and would credit what is right.
    await breakFor(orderNo, { mode: 'wrong-amount', in: 'both' });
    await payAtCashier(orderNo, 'notify');
    const now = await product.whenWorker('yiqiao_payments_exceptions', (count) => count > 0);
    await expectAlerts(['PaymentsNeedDecision'], now, { beside });
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
    const now = await product.whenWorker('yiqiao_payments_uncredited_age_seconds', (seconds) => seconds > 300);
    await expectAlerts(['LedgerDiffers', 'PaymentNotCredited'], now, { beside });
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
    const now = await product.whenWorker('yiqiao_ledger_holds_oldest_age_seconds', (seconds) => seconds > 300);
    await expectAlerts(['HoldsAreStale'], now, { beside });
    await product.api.db.query('UPDATE ledger_hold SET expires_at = now() WHERE released_at IS NULL');
  });
});

describe('work', () => {
  it('the event of an order that the worker may not relay', async () => {
    const { client } = await memberOn('offline');
    const age = 'yiqiao_outbox_oldest_age_seconds';
    await product.api.db.query('REVOKE UPDATE ON outbox FROM yiqiao_app');
    try {
      await order(client);
      // Three minutes pass.
      const waits = `UPDATE outbox SET recorded_at = ${ago(3)} WHERE relayed_at IS NULL AND fact->>'type' = 'OrderPlaced'`;
      expect((await product.api.db.query(waits)).rowCount).toBe(1);
      await expectAlerts(['OutboxOld'], await product.whenWorker(age, (seconds) => seconds > 120), { beside });
      expect(product.workerLog()).toMatch(/events could not be relayed.*"code":"42501"/);
    } finally {
      await product.api.db.query('GRANT UPDATE (relayed_at, done, done_at) ON outbox TO yiqiao_app');
    }
    await expectAlerts([], await product.whenWorker(age, (seconds) => seconds < 120), { beside });
  });

  it('a worker that was killed, and an audit that was stopped while it waited for one', async () => {
    await product.stopWorker();
    const running = (api: Exposition | null): number | null =>
      api && valueOf(api, 'yiqiao_workers', { state: 'running' });
    const now = await waitUntil(product.moment, ({ api }) => running(api) === 0);
    expect(now.worker).toBeNull();
    await expectAlerts(['StateUnknown', 'TargetDown', 'WorkerSilent'], now, { beside });
    const commands = (await product.api.commandLine()).get(CommandBus);
    const { id } = await commands.execute(new StartAuditRun({ scope: 'all', depth: 'full' }, { actor: 'system' }));
    await commands.execute(new CancelAuditRun(id, { actor: 'system' }));
    await product.startWorker();
    const again = await waitUntil(
      product.moment,
      ({ api, worker }) =>
        running(api) === 1 &&
        worker !== null &&
        valueOf(worker, 'yiqiao_nightly_state', { task: 'audit', state: 'failed' }) === 1,
    );
    await expectAlerts(['AuditFailed'], again, { beside });
  });
});
