/** Where webhooks may go: judged by the address that the socket connects to (docs/decisions/0073). */
import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { saveWebhook, testWebhook } from '@yiqiao/contracts/webhooks';
import { Vault } from '../src/platform/vault.js';
import { AddressRefused, publicAgent } from '../src/platform/public-agent.js';
import { WebhookSender } from '../src/webhooks/webhook-sender.js';
import { request } from 'undici';
import { startApi, type TestApi } from './support/api.js';
import { makeMain } from './support/family.js';
import type { TestMember } from './support/test-members.js';
import { form, openReceiver, type Receiver } from './support/webhooks.js';

let receiver: Receiver;
let port: string;

beforeAll(async () => {
  receiver = await openReceiver();
  ({ port } = new URL(receiver.url));
});
afterAll(() => receiver.close());

const addresses = (...all: string[]): LookupAddress[] =>
  all.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** How an agent that may only go to public addresses answers; `resolver`: what a name resolves to, each time. */
async function ask(url: string, resolver: (name: string) => LookupAddress[]): Promise<unknown> {
  const agent = publicAgent({
    allowPrivate: false,
    connectMs: 2_000,
    resolver: (name) => Promise.resolve(resolver(name)),
  });
  try {
    const { statusCode } = await request(url, { dispatcher: agent, method: 'POST', body: '{}' });
    return statusCode;
  } catch (error) {
    return error;
  } finally {
    await agent.destroy();
  }
}

describe('a connection', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.8',
    '192.168.1.10',
    '169.254.169.254',
    '100.100.100.200',
    '0.0.0.0',
    '224.0.0.1',
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
  ])('is not made to a name that resolves to %s', async (address) => {
    const before = receiver.asked.length;
    expect(await ask(`http://hooks.example.com:${port}/`, () => addresses(address))).toBeInstanceOf(AddressRefused);
    expect(receiver.asked).toHaveLength(before);
  });

  it.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '0'])(
    'is not made to the address %s, which nothing resolves',
    async (host) => {
      const never = (): LookupAddress[] => addresses('1.1.1.1');
      expect(await ask(`http://${host}:${port}/`, never)).toBeInstanceOf(AddressRefused);
    },
  );

  it('is not made when one of several addresses is private', async () => {
    const mixed = (): LookupAddress[] => addresses('1.1.1.1', '127.0.0.1');
    expect(await ask(`http://hooks.example.com:${port}/`, mixed)).toBeInstanceOf(AddressRefused);
  });

  it('goes to the very address that was judged: a name that changes its mind leads nowhere', async () => {
    const resolved: string[] = [];
    // Public when it is looked at, private when a second look connects.
    const rebinding = (name: string): LookupAddress[] => {
      resolved.push(name);
      return addresses(resolved.length === 1 ? '192.0.0.1' : '127.0.0.1');
    };
    const before = receiver.asked.length;
    for (let round = 0; round < 3; round++)
      expect(await ask(`http://hooks.example.com:${port}/`, rebinding)).toBeInstanceOf(Error);
    // One look for each connection, so there is no second one to answer otherwise.
    expect(resolved).toHaveLength(3);
    expect(receiver.asked).toHaveLength(before);
  });
});

describe('an endpoint', () => {
  let api: TestApi;
  let main: TestMember;

  beforeAll(async () => {
    // As in production, but for TLS.
    api = await startApi({ LIMIT_WEBHOOK_TESTS_PER_MINUTE: '1000' });
    main = await makeMain(api);
  });
  afterAll(() => api.stop());

  it.each([
    ['http://127.0.0.1:8080/', 'URL_PRIVATE'],
    ['http://[::1]/', 'URL_PRIVATE'],
    ['http://169.254.169.254/latest/meta-data/', 'URL_PRIVATE'],
    ['http://redis/', 'URL_PRIVATE'],
    ['http://hooks.example.com:6379/', 'URL_PORT'],
    ['http://hooks.example.com:22/', 'URL_PORT'],
  ])('at %s is refused when it is saved: %s', async (url, code) => {
    const { status, body } = await main.client.send(saveWebhook, form(url));
    expect([status, body]).toMatchObject([422, { errors: [{ path: 'url', code }] }]);
  });

  it('whose name leads to this machine is not connected to, and its log says so', async () => {
    const sender = api.app.get(WebhookSender, { strict: false });
    const { webhook } = await main.client.call(saveWebhook, form('http://hooks.example.com:8080/'));
    sender.useResolver(() => Promise.resolve(addresses('127.0.0.1')));
    expect(await main.client.call(testWebhook, { id: webhook.id })).toMatchObject({
      delivered: false,
      failure: 'address',
      httpStatus: null,
    });
    sender.useResolver(() => Promise.reject(Object.assign(new Error('no such host'), { code: 'ENOTFOUND' })));
    expect(await main.client.call(testWebhook, { id: webhook.id })).toMatchObject({ failure: 'host' });
  });

  it('that redirects is not followed', async () => {
    const sender = api.app.get(WebhookSender, { strict: false });
    sender.useResolver(() => Promise.resolve(addresses('127.0.0.1')), true);
    const url = `http://hooks.example.com:8080/`;
    const { webhook } = await main.client.call(saveWebhook, form(url));
    await api.db.query('UPDATE webhook_endpoint SET sealed_url = $2 WHERE id = $1', [
      webhook.id,
      sealed(api, `http://hooks.example.com:${port}/`),
    ]);
    const before = receiver.asked.length;
    receiver.answer = () => ({ status: 302, headers: { location: `${receiver.url}/inside` } });
    expect(await main.client.call(testWebhook, { id: webhook.id })).toMatchObject({
      failure: 'redirect',
      httpStatus: 302,
    });
    expect(receiver.asked).toHaveLength(before + 1);
    // Endless, and slower than anybody waits for: what came within the time counts, and no more is read.
    receiver.answer = () => ({ status: 200, body: 'a'.repeat(300_000) });
    const big = await main.client.call(testWebhook, { id: webhook.id });
    expect(big).toMatchObject({ delivered: true, answer: 'a'.repeat(1_024) });
  });

  it('that does not answer is given up after ten seconds', async () => {
    const sender = api.app.get(WebhookSender, { strict: false });
    sender.useResolver(() => Promise.resolve(addresses('127.0.0.1')), true);
    const { webhook } = await main.client.call(saveWebhook, form('http://hooks.example.com:8080/'));
    await api.db.query('UPDATE webhook_endpoint SET sealed_url = $2 WHERE id = $1', [
      webhook.id,
      sealed(api, `http://hooks.example.com:${port}/`),
    ]);
    receiver.answer = () => new Promise(() => undefined);
    const tested = await main.client.call(testWebhook, { id: webhook.id });
    expect(tested).toMatchObject({ delivered: false, failure: 'timeout', httpStatus: null });
    expect(tested.milliseconds).toBeGreaterThanOrEqual(9_900);
    expect(tested.milliseconds).toBeLessThan(15_000);
  });
});

/** As the api itself seals it: the rules of forms allow no port of a test. */
const sealed = (api: TestApi, url: string): string => api.app.get(Vault, { strict: false }).seal(url);
