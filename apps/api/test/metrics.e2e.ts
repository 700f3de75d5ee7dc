/** The figures that the real processes show to Prometheus, held against their table (docs/decisions/0066). */
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { exportLoginLogs } from '@yiqiao/contracts/login-log';
import { payOrder } from '@yiqiao/contracts/orders';
import { changeChannel } from '@yiqiao/contracts/plans';
import { translateText } from '@yiqiao/contracts/translation';
import { getUser } from '@yiqiao/contracts/user';
import { saveWebhook, testWebhook } from '@yiqiao/contracts/webhooks';
import { CHANNELS } from '@yiqiao/domain/channels';
import { Cluster } from '../bench/cluster.js';
import { INSTRUMENTS } from '../src/platform/telemetry/instrument-table.js';
import { prometheusName } from '../src/platform/telemetry/instruments.js';
import { headersOf, TestClient } from './support/client.js';
import { onServer } from './support/database.js';
import { type Exposition, familyOf, valueOf } from './support/exposition.js';
import { makeMain } from './support/family.js';
import { type Measured, startMeasured } from './support/measured.js';
import { AMOUNT, orderOf, STANDARD_ORDER } from './support/orders.js';
import { root } from './support/packaging.js';
import { spawnProgram } from './support/process.js';
import { openForm, payAtCashier } from './support/sandbox-gateways.js';
import { breakVendor, mendVendor, sandboxAccount } from './support/sandbox-vendors.js';
import type { TestMember } from './support/test-members.js';
import { upstreamsFile } from './support/vendor-environment.js';
import { waitUntil } from './support/wait-until.js';

const PROCESSES = ['api', 'worker', 'operators'] as const;
const vendor = sandboxAccount('google', 'metrics', { charsPerDay: 10_000 });

let primary: Cluster;
let standby: Cluster;
let removeFile: () => Promise<void>;
let product: Measured;
let member: TestMember;
let orderNo: string;
/** Texts that the vendor translated. */
let mornings = 0;
let shown: Record<(typeof PROCESSES)[number], Exposition>;

/** Another text each time, without a number, which would be protected. */
const morning = (n: number): string => `Good morning, ${String.fromCharCode(97 + Math.trunc(n / 26), 97 + (n % 26))}`;

/** Something of everything that is measured. */
beforeAll(async () => {
  const { file, remove } = await upstreamsFile([vendor]);
  removeFile = remove;
  primary = await Cluster.create();
  standby = await primary.standby();
  product = await onServer(primary.url, () =>
    startMeasured(
      {
        TRANSLATION_UPSTREAMS_FILE: file,
        LIMIT_REQUESTS_IN_FLIGHT: '70',
        // Nobody takes the mails, so their jobs fail.
        SMTP_URL: 'smtp://127.0.0.1:1',
        AUDIT_AT: aMinuteAgo(),
      },
      (url) => ({ STANDBY_DATABASE_URL: standby.at(url) }),
    ),
  );
  member = await makeMain(product.api);
  // As if the log had been archived once.
  await product.api.db.query(`SELECT pg_create_physical_replication_slot('yiqiao_backup', true)`);
  const client = new TestClient(product.url, member.session);
  await client.call(translateText, { source: 'zh-Hans', target: 'zh-Hant', text: '头发很长' });
  await client.call(changeChannel, { targetChannelId: CHANNELS.google.id });
  await product.api.db.query('UPDATE vendor_account SET char_cost = 25');
  // Processes read the accounts again every second.
  const cost = async (): Promise<number> => {
    await client.call(translateText, { source: 'en', target: 'fr', text: morning(++mornings) });
    return valueOf(await product.scrape('api'), 'yiqiao_vendor_cost_microyuan_total');
  };
  await waitUntil(cost, (sum) => sum > 0);
  await breakVendor(vendor, { kind: 'auth' });
  await client.send(translateText, { source: 'en', target: 'fr', text: 'Good evening' });
  await mendVendor(vendor);
  // A name that does not resolve: an attempt that fails.
  const { webhook } = await client.call(saveWebhook, {
    name: 'receiver',
    url: 'https://receiver.invalid/hooks',
    format: 'standard',
    language: 'zh',
    events: ['order.paid'],
    enabled: 1,
  });
  await client.call(testWebhook, { id: webhook.id });
  const { orderId, orderNo: no, scanQRCodeUrl } = await client.call(payOrder, STANDARD_ORDER);
  orderNo = no;
  await openForm(scanQRCodeUrl);
  expect(await payAtCashier(orderNo, 'notify')).toBe(true);
  await waitUntil(
    () => orderOf(product.api, orderId),
    ({ payStatus }) => payStatus === 'P',
  );
  const download = `${product.url}${BASE_PATH}${exportLoginLogs.path}`;
  expect((await fetch(download, { headers: headersOf(member.session) })).status).toBe(200);
  await overload();
  // A scheduled job has run, and so has one of an event.
  const read = async () => ({
    api: await product.scrape('api'),
    worker: await product.scrape('worker'),
    operators: await product.scrape('operators'),
  });
  shown = await waitUntil(
    read,
    ({ worker, operators }) =>
      valueOf(worker, 'messaging_process_duration_seconds_count', { messaging_destination_name: 'events' }) > 0 &&
      valueOf(worker, 'messaging_process_duration_seconds_count', { error_type: 'Error' }) > 0 &&
      valueOf(worker, 'yiqiao_nightly_state', { task: 'audit', state: 'ok' }) > 0 &&
      valueOf(worker, 'yiqiao_scheduled_job_age_seconds', { bullmq_job_name: 'close-ledger' }) > 0 &&
      valueOf(operators, 'yiqiao_workers', { state: 'running' }) > 0 &&
      worker.types.has('yiqiao_backup_stream_connected'),
  );
});
afterAll(async () => {
  await product.stop();
  await standby.destroy();
  await primary.destroy();
  await removeFile();
});

/** In the time zone of the product. */
function aMinuteAgo(): string {
  const options = { timeZone: 'Asia/Shanghai', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return new Intl.DateTimeFormat('sv-SE', options).format(Date.now() - 60_000);
}

/** More requests at once than are admitted. */
async function overload(): Promise<void> {
  const client = new TestClient(product.url, member.session);
  const refused = async (): Promise<number> => {
    const answers = await Promise.all(Array.from({ length: 300 }, () => client.send(getUser, {})));
    return answers.filter(({ status }) => status === 503).length;
  };
  await waitUntil(refused, (count) => count > 0);
}

type Row = { name: string; type: string; labels: string[]; in: string };
const TYPES = { counter: 'counter', total: 'counter', gauge: 'gauge', histogram: 'histogram' } as const;
const labelName = (label: string): string => label.replaceAll('.', '_');
const instruments: Row[] = Object.entries(INSTRUMENTS).map(([name, { kind, labels, in: where }]) => ({
  name: prometheusName(name),
  type: TYPES[kind],
  labels: labels.map(labelName),
  in: where,
}));

describe('the table of figures in docs/operations.md', () => {
  it('is that of the program', () => {
    const text = readFileSync(path.join(root, 'docs/operations.md'), 'utf8');
    const rows = [...text.matchAll(/^\| `([a-z0-9_]+)` +\| (counter|gauge|histogram) +\|(.*)$/gm)].map(
      ([, name, type, rest = '']) => [
        name,
        type,
        ...rest
          .split('|')
          .slice(0, 3)
          .map((cell) => cell.trim()),
      ],
    );
    const PLACES = { every: 'all', servers: 'api, operators', worker: 'worker' };
    expect(rows).toEqual(
      Object.entries(INSTRUMENTS).map(([name, { kind, labels, in: where, is }]) => [
        prometheusName(name),
        TYPES[kind],
        labels.map((label) => `\`${labelName(label)}\``).join(' '),
        PLACES[where],
        is,
      ]),
    );
  });

  it('is what the processes show, no more and no less', () => {
    const all = new Map(PROCESSES.flatMap((name) => [...shown[name].types]));
    all.delete('target_info');
    expect([...all].sort()).toEqual(instruments.map(({ name, type }): [string, string] => [name, type]).sort());
  });

  it.each(PROCESSES)('says which of them %s has', (name) => {
    const elsewhere = instruments.filter(({ in: where }) =>
      name === 'worker' ? where === 'servers' : where === 'worker',
    );
    expect(elsewhere.filter((row) => shown[name].types.has(row.name))).toEqual([]);
  });

  it('has every label, and only those', () => {
    const own = new Set(['le', 'service_name']);
    for (const row of instruments) {
      const labels = PROCESSES.flatMap((process) =>
        shown[process].samples
          .filter((sample) => familyOf(sample, shown[process].types) === row.name)
          .flatMap((sample) => Object.keys(sample.labels).filter((label) => !own.has(label))),
      );
      expect([row.name, [...new Set(labels)].sort()]).toEqual([row.name, [...row.labels].sort()]);
    }
  });
});

describe('the figures', () => {
  const everything = (): Exposition['samples'] => PROCESSES.flatMap((name) => shown[name].samples);

  it('name nobody, and no single request', () => {
    const { username, session } = member;
    const said = everything().filter(({ name }) => name !== 'target_info');
    const values = new Set(said.flatMap(({ labels: { le: _, ...labels } }) => Object.values(labels)));
    for (const secret of [username, orderNo, '127.0.0.1', vendor.key])
      expect([...values].filter((value) => value.includes(secret))).toEqual([]);
    expect(values).not.toContain(String(session.userId));
    expect([...values].filter((value) => /[0-9a-f]{8}-[0-9a-f]{4}-|@/.test(value))).toEqual([]);
  });

  it('tell processes apart', () => {
    for (const name of PROCESSES)
      expect(new Set(shown[name].samples.map(({ labels }) => labels['service_name']))).toEqual(new Set([name]));
  });

  it('count what happened', () => {
    const { api, worker } = shown;
    const route = { http_route: '/client-user/translation/text', http_request_method: 'POST' };
    const requests = 'http_server_request_duration_seconds_count';
    expect(valueOf(api, requests, { ...route, http_response_status_code: '200' })).toBe(1 + mornings);
    expect(valueOf(api, requests, { ...route, http_response_status_code: '502' })).toBe(1);
    expect(valueOf(api, requests, { http_route: '/pay/notify/:gateway' })).toBe(1);
    expect(valueOf(api, 'yiqiao_translation_charged_total', { channel: 'offline', kind: 'text' })).toBe(4);
    const lastMorning = 25 * morning(mornings).length;
    expect(valueOf(api, 'yiqiao_vendor_cost_microyuan_total', { channel: 'google', kind: 'text' })).toBe(lastMorning);
    expect(valueOf(api, 'yiqiao_translation_requests_total', { channel: 'google', outcome: 'failed' })).toBe(1);
    const asked = 'yiqiao_vendor_request_duration_seconds_count';
    expect(valueOf(api, asked, { vendor: 'google', account: vendor.name })).toBe(mornings + 1);
    expect(valueOf(api, asked, { vendor: 'google', error_type: 'auth' })).toBe(1);
    expect(valueOf(api, 'yiqiao_vendor_breaker', { vendor: 'google', state: 'open' })).toBe(1);
    expect(valueOf(api, 'yiqiao_vendor_characters_left', { vendor: 'google' })).toBeLessThan(10_000);
    expect(valueOf(api, 'yiqiao_payments_credited_total', { gateway: 'alipay' })).toBe(1);
    expect(valueOf(api, 'yiqiao_payments_credited_fen_total')).toBe(AMOUNT);
    expect(valueOf(api, 'yiqiao_http_requests_refused_total')).toBeGreaterThan(0);
    expect(valueOf(api, 'yiqiao_ledger_batch_size_sum')).toBe(valueOf(api, 'yiqiao_ledger_batch_size_count'));
    expect(valueOf(worker, 'yiqiao_outbox_oldest_age_seconds')).toBeLessThan(20);
    expect(valueOf(worker, 'yiqiao_nightly_state', { task: 'backup', state: 'unknown' })).toBe(1);
  });
});

it('does not start where the port is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const worker = spawnProgram('worker', { ...product.api.env, METRICS_PORT: String(port) });
  expect(await worker.exited).toBe(1);
  expect(worker.errors()).toContain(`METRICS_PORT: listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
  taken.close();
});
