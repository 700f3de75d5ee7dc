/** Traces, as a collector receives them: a translation from its request id to vendor and commit, an order from click to credit (docs/decisions/0066). */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { payOrder } from '@yiqiao/contracts/orders';
import { changeChannel } from '@yiqiao/contracts/plans';
import { translateText } from '@yiqiao/contracts/translation';
import { CHANNELS } from '@yiqiao/domain/channels';
import { traceOf } from '../src/platform/telemetry/tracing.js';
import { TestClient } from './support/client.js';
import { makeMain } from './support/family.js';
import { type Measured, startMeasured } from './support/measured.js';
import { STANDARD_ORDER } from './support/orders.js';
import { openForm, payAtCashier } from './support/sandbox-gateways.js';
import { sandboxAccount } from './support/sandbox-vendors.js';
import { type Span, type TraceCollector, traceCollector } from './support/trace-collector.js';
import { upstreamsFile } from './support/vendor-environment.js';
import { waitUntil } from './support/wait-until.js';

let collector: TraceCollector;
let product: Measured;
let removeFile: () => Promise<void>;

beforeAll(async () => {
  collector = await traceCollector();
  const { file, remove } = await upstreamsFile([sandboxAccount('google', 'traces')]);
  removeFile = remove;
  product = await startMeasured({
    TRANSLATION_UPSTREAMS_FILE: file,
    ...collector.env,
  });
});
afterAll(async () => {
  await product.stop();
  collector.close();
  await removeFile();
});

const traced = (traceId: string, until: readonly string[]): Promise<Span[]> =>
  waitUntil(
    () => Promise.resolve(collector.spans.filter((span) => span.traceId === traceId)),
    (all) => until.every((name) => all.some((span) => span.name === name)),
  );

it('a translation leads from its request id to the vendor and the commit', async () => {
  const member = await makeMain(product.api);
  const client = new TestClient(product.url, member.session);
  await client.call(changeChannel, { targetChannelId: CHANNELS.google.id });
  const { status, headers } = await client.send(translateText, { source: 'en', target: 'fr', text: 'Secret words' });
  expect(status).toBe(200);
  const id = String(headers['x-request-id']).replaceAll('-', '');
  const root = 'POST /client-user/translation/text';
  const steps = ['ledger hold', 'vendor google', 'ledger settle'];
  const all = await traced(id, [root, ...steps]);
  const top = all.find(({ name }) => name === root);
  expect(top?.parentSpanId ?? '').toBe('');
  for (const step of steps) expect(all.find(({ name }) => name === step)?.parentSpanId).toBe(top?.spanId);
  for (const secret of ['Secret words', member.username, member.session.sk])
    expect(collector.received()).not.toContain(secret);
});

it('an order is one trace from the click to the credit, through outbox and job', async () => {
  const client = new TestClient(product.url, (await makeMain(product.api)).session);
  const reply = await client.send(payOrder, STANDARD_ORDER);
  const { orderId, orderNo, scanQRCodeUrl } = reply.body.data as {
    orderId: number;
    orderNo: string;
    scanQRCodeUrl: string;
  };
  await openForm(scanQRCodeUrl);
  expect(await payAtCashier(orderNo, 'notify')).toBe(true);
  const all = await traced(traceOf(`order ${orderId}`), ['place order', 'settle payment', 'job tell-order']);
  const request = String(reply.headers['x-request-id']).replaceAll('-', '');
  expect(all.find(({ name }) => name === 'place order')?.links).toMatchObject([{ traceId: request }]);
  const settled = all.find(({ name }) => name === 'settle payment');
  expect(settled?.attributes).toContainEqual({ key: 'outcome', value: { stringValue: 'credit' } });
  expect(all.find(({ name }) => name === 'job tell-order')?.process).toBe('worker');
  expect(collector.received()).not.toContain(orderNo);
});
