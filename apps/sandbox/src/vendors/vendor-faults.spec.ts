import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { VENDOR_CLIENTS, type VendorClient } from '../../test-support/vendor-clients.js';
import type { FaultSwitch } from './vendor-faults.js';
import { VendorSandbox } from '../../test-support/vendor-sandbox.js';

let vendors: VendorSandbox;

beforeAll(async () => {
  vendors = await VendorSandbox.open();
});
afterAll(async () => vendors.close());

const TWO = ['Hello', 'Order {0} costs 12 yuan\nsee https://a.example/b'];

/** Each vendor's error responses: HTTP status and error code. */
const EXPECTED_ERRORS: Readonly<Record<string, Readonly<Record<string, readonly [number, unknown]>>>> = {
  google: {
    rate: [429, 'rateLimitExceeded'],
    quota: [403, 'dailyLimitExceeded'],
    auth: [400, 'API_KEY_INVALID'],
    error: [503, 'backendError'],
    block: [400, 'invalid'],
  },
  microsoft: {
    rate: [429, 429001],
    quota: [403, 403001],
    auth: [401, 401000],
    error: [503, 503000],
    block: [400, 400000],
  },
  tencent: {
    rate: [200, 'RequestLimitExceeded'],
    quota: [200, 'FailedOperation.NoFreeAmount'],
    auth: [200, 'AuthFailure.SignatureFailure'],
    error: [200, 'InternalError'],
    block: [200, 'InvalidParameter'],
  },
  youdao: {
    rate: [200, '411'],
    quota: [200, '401'],
    auth: [200, '202'],
    error: [200, '303'],
    block: [200, '101'],
  },
  deepl: {
    rate: [429, 'Too many requests'],
    quota: [456, 'Quota Exceeded'],
    auth: [403, 'Authorization failure'],
    error: [503, 'Resource currently unavailable. Try again later.'],
    block: [400, 'Bad request.'],
  },
  chatgpt: {
    rate: [429, 'rate_limit_exceeded'],
    quota: [429, 'insufficient_quota'],
    auth: [401, 'invalid_api_key'],
    error: [503, 'server_error'],
    block: [400, 'content_policy_violation'],
  },
  libretranslate: {
    rate: [429, 'Slowdown: 5 per 1 second'],
    quota: [403, 'Too many request limits violations'],
    auth: [403, 'Invalid API key'],
    error: [500, 'Cannot translate text: the model is gone'],
    block: [400, 'Invalid request'],
  },
};

describe.each(VENDOR_CLIENTS)('a switch of an account at $vendor', (client: VendorClient) => {
  const { vendor, ask, texts, error } = client;
  const askWithFault = async (fault: FaultSwitch, wanted: readonly string[] = TWO) => {
    const account = vendors.account(vendor);
    await vendors.setFault(account, { times: 1, ...fault });
    return { account, heard: await ask(vendors, account, wanted) };
  };

  it.each(['rate', 'quota', 'auth', 'error', 'block'] as const)(
    '%s: in the vendor’s own format, once',
    async (kind) => {
      const { account, heard } = await askWithFault({ kind });
      expect([heard.status, error(heard)]).toEqual(EXPECTED_ERRORS[vendor]?.[kind]);
      const again = await ask(vendors, account, TWO);
      expect([again.status, texts(again)?.length]).toEqual([200, 2]);
      const { count, refused, calls } = await vendors.calls(account);
      expect([count, refused, calls.map(({ faults }) => faults)]).toEqual([2, 1, [[], [kind]]]);
    },
  );

  it('error: with its own status', async () => {
    expect((await askWithFault({ kind: 'error', status: 502 })).heard.status).toBe(502);
  });

  it('empty: 200 without a body', async () => {
    const { heard } = await askWithFault({ kind: 'empty' });
    expect([heard.status, texts(heard)]).toEqual([200, ['', '']]);
  });

  it('count: one text too few, none for one', async () => {
    expect(texts((await askWithFault({ kind: 'count' })).heard)).toHaveLength(1);
    const { heard } = await askWithFault({ kind: 'count' }, ['Hello']);
    expect(heard.status).toBe(200);
    expect(texts(heard) ?? []).toEqual([]);
  });

  it('echo: the source itself', async () => {
    expect(texts((await askWithFault({ kind: 'echo' })).heard)).toEqual(TWO);
  });

  it('script: letters of another script only, protected pieces kept', async () => {
    const [hello, order] = texts((await askWithFault({ kind: 'script' })).heard) as string[];
    expect(hello).toMatch(/^\p{sc=Cyrl}+$/u);
    expect(order?.match(/\{0\}|12|\n|https:\S+/g)).toEqual(['{0}', '12', '\n', 'https://a.example/b']);
    expect(order?.replace(/https:\S+/, '')).not.toMatch(/\p{sc=Latn}|\p{sc=Han}/u);
  });

  it('lose: drops masks, numbers and addresses', async () => {
    const [, order] = texts((await askWithFault({ kind: 'lose' })).heard) as string[];
    expect(order).toContain('沙箱');
    expect(order).not.toMatch(/[{}\d]|https/);
  });

  it('lines: drops line breaks', async () => {
    const [, order] = texts((await askWithFault({ kind: 'lines' })).heard) as string[];
    expect(order).not.toContain('\n');
    expect(order).toContain('https://a.example/b');
  });

  it('malformed: a complete body that is not JSON', async () => {
    const { heard } = await askWithFault({ kind: 'malformed' });
    expect([heard.status, heard.json]).toEqual([200, undefined]);
    expect(heard.text.length).toBeGreaterThan(10);
  });

  it.each(['cut', 'drop'] as const)('%s: an incomplete response', async (kind) => {
    const account = vendors.account(vendor);
    await vendors.setFault(account, { kind, times: 1 });
    await expect(ask(vendors, account, TWO)).rejects.toThrow();
    expect((await vendors.calls(account)).calls[0]).toMatchObject({ status: null, error: null, faults: [kind] });
    expect((await ask(vendors, account, TWO)).status).toBe(200);
  });

  it('hang: open until the caller disconnects', async () => {
    const account = vendors.account(vendor);
    await vendors.setFault(account, { kind: 'hang', times: 1 });
    const asked = ask(vendors, account, TWO).then(
      () => 'answered',
      () => 'gone',
    );
    for (let tries = 0; (await vendors.calls(account)).inFlight < 1 && tries < 500; tries += 1) await pause(10);
    expect(await Promise.race([asked, pause(60)])).toBe(undefined);
    await vendors.setFault(account, { kind: 'delay', ms: 1 });
    expect((await ask(vendors, account, TWO)).status).toBe(200);
  });

  it('delay: late, but correct', async () => {
    const begin = performance.now();
    const { heard } = await askWithFault({ kind: 'delay', ms: 120 });
    expect(performance.now() - begin).toBeGreaterThan(115);
    expect(texts(heard)).toHaveLength(2);
  });

  it('pace: limited per second', async () => {
    const account = vendors.account(vendor);
    await vendors.setFault(account, { kind: 'pace', perSecond: 1 });
    const heard = await Promise.all(Array.from({ length: 20 }, () => ask(vendors, account, ['Hello'])));
    const refused = heard.filter((one) => error(one) !== undefined);
    // How many succeed depends on how fast the machine sends twenty.
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(20);
    expect([refused[0]?.status, error(refused[0]!)]).toEqual(EXPECTED_ERRORS[vendor]?.['rate']);
  });
});

const pause = (ms: number) => new Promise<undefined>((resolve) => setTimeout(resolve, ms));

describe('the switches', () => {
  const google = VENDOR_CLIENTS[0]!;

  it('affect one account only', async () => {
    const [one, other] = [vendors.account('google'), vendors.account('google')];
    await vendors.setFault(one, { kind: 'error' });
    expect((await google.ask(vendors, other, ['Hello'])).status).toBe(200);
    expect((await google.ask(vendors, one, ['Hello'])).status).toBe(503);
    expect((await vendors.calls(other)).count).toBe(1);
  });

  it('are combined: the last one that ends a call applies, a delay with any, and one of a kind', async () => {
    const account = vendors.account('google');
    await vendors.setFault(account, { kind: 'delay', ms: 1 });
    await vendors.setFault(account, { kind: 'error', status: 500 });
    await vendors.setFault(account, { kind: 'echo' });
    await vendors.setFault(account, { kind: 'rate', times: 1, ms: 1500 });
    const limited = await google.ask(vendors, account, ['Hello']);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2']);
    expect((await google.ask(vendors, account, ['Hello'])).status).toBe(500);
    expect(await vendors.setFault(account, { kind: 'error', status: 502, times: 1 })).toEqual([
      { account, kind: 'delay', ms: 1, left: null, hits: 2 },
      { account, kind: 'echo', left: null, hits: 0 },
      { account, kind: 'rate', ms: 1500, left: 0, hits: 1 },
      { account, kind: 'error', status: 502, left: 1, hits: 0 },
    ]);
    expect((await google.ask(vendors, account, ['Hello'])).status).toBe(502);
    expect(google.texts(await google.ask(vendors, account, ['Hello']))).toEqual(['Hello']);
  });

  it('apply to one account or to all', async () => {
    const [one, other] = [vendors.account('google'), vendors.account('deepl')];
    await vendors.setFault(one, { kind: 'error' });
    await vendors.setFault(other, { kind: 'error' });
    expect((await vendors.send(`/vendors/switches?account=${one}`, { method: 'DELETE' })).json).toEqual({ reset: 1 });
    expect((await vendors.send(`/vendors/switches?account=${one}`)).json).toEqual({ switches: [] });
    expect((await vendors.send(`/vendors/switches?account=${other}`)).json).toMatchObject({ switches: [{ hits: 0 }] });
    await vendors.send('/vendors/switches', { method: 'DELETE' });
    expect((await vendors.send('/vendors/switches')).json).toEqual({ switches: [] });
  });

  it('include Google’s other way to report a rate limit', async () => {
    const account = vendors.account('google');
    await vendors.setFault(account, { kind: 'rate', status: 403 });
    const heard = await google.ask(vendors, account, ['Hello']);
    expect([heard.status, google.error(heard)]).toEqual([403, 'userRateLimitExceeded']);
  });

  it.each([
    {},
    { account: 'sandbox-google-1' },
    { account: 'sandbox-google-1', fault: { kind: 'sometimes' } },
    { account: 'sandbox-google-1', fault: { kind: 'delay', millis: 1 } },
    { account: 'sandbox-google-1', fault: { kind: 'rate', times: 0 } },
    { account: 'sandbox-gogle-1', fault: { kind: 'rate' } },
    { account: 'google', fault: { kind: 'rate' } },
  ])('reject %j', async (body) => {
    expect((await vendors.post('/vendors/switches', body)).status).toBe(400);
    expect((await vendors.send('/vendors/switches?account=sandbox-google-1')).json).toEqual({ switches: [] });
  });
});

describe('recorded calls', () => {
  const [google] = VENDOR_CLIENTS;

  it('list the requests of an account, newest first, and are cleared on request', async () => {
    const account = vendors.account('google');
    await google!.ask(vendors, account, ['Hi 😀'], 'fr');
    await google!.ask(vendors, account, ['One', 'Two'], 'xx');
    const { calls, ...sums } = await vendors.calls(account);
    expect(sums).toEqual({ account, count: 2, refused: 1, chars: 4, inFlight: 0, mostInFlight: 1 });
    expect(calls).toMatchObject([
      { call: 'translate', texts: 0, status: 400, error: 'invalid', sent: [] },
      { call: 'translate', texts: 1, chars: 4, source: 'en', target: 'fr', status: 200, error: null, sent: ['Hi 😀'] },
    ]);
    expect((await vendors.send('/vendors/calls')).json?.['accounts']).toContainEqual(sums);
    await vendors.send(`/vendors/calls?account=${account}`, { method: 'DELETE' });
    expect(await vendors.calls(account)).toMatchObject({ count: 0, calls: [] });
  });

  it('count how many were in flight at once', async () => {
    const account = vendors.account('google');
    await vendors.setFault(account, { kind: 'delay', ms: 3000 });
    const begin = performance.now();
    const heard = await Promise.all(Array.from({ length: 100 }, () => google!.ask(vendors, account, ['Hello'])));
    expect(heard.every(({ status }) => status === 200)).toBe(true);
    // Serially they would take 300 s.
    expect(performance.now() - begin).toBeLessThan(30_000);
    const { count, inFlight, mostInFlight } = await vendors.calls(account);
    expect([count, inFlight]).toEqual([100, 0]);
    expect(mostInFlight).toBeGreaterThan(50);
  }, 60_000);

  it('of an unknown account are rejected', async () => {
    expect((await vendors.send('/vendors/calls?account=sandbox-gogle-1')).status).toBe(400);
  });
});
