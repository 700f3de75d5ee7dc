import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { parseAccount } from './account.js';
import { RateLimit } from './serve-call.js';
import { codePoints } from './vendor-calls.js';
import { VendorSandbox, type Json } from '../../test-support/vendor-sandbox.js';

let vendors: VendorSandbox;

beforeAll(async () => {
  vendors = await VendorSandbox.open();
});
afterAll(async () => vendors.close());

describe('an account', () => {
  it('is named by its vendor and any suffix', () => {
    expect(parseAccount('sandbox-google-1')).toEqual({
      name: 'sandbox-google-1',
      vendor: 'google',
      suffix: '1',
      secret: 'sandbox-google-secret-1',
      perSecond: null,
    });
    expect(parseAccount('sandbox-deepl-1:fx')?.suffix).toBe('1:fx');
    expect(parseAccount('sandbox-tencent-a-5qps')?.perSecond).toBe(5);
  });

  it.each([
    '',
    'sandbox-google',
    'sandbox-google-',
    'sandbox-bing-1',
    'sandbox-google-1 ',
    `sandbox-google-${'a'.repeat(41)}`,
  ])('is not "%s"', (name) => expect(parseAccount(name)).toBe(null));
});

describe('a rate limit', () => {
  it('passes evenly spaced requests despite jitter, and one burst', () => {
    const rateLimit = new RateLimit();
    const shaken = Array.from({ length: 50 }, (_, index) => index * 200 + (index % 2) * 150);
    expect(shaken.every((at) => rateLimit.allows('a', 5, at))).toBe(true);
    expect(Array.from({ length: 7 }, () => rateLimit.allows('b', 5, 0))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(rateLimit.allows('b', 5, 700)).toBe(false);
    expect(rateLimit.allows('b', 5, 800)).toBe(true);
  });
});

describe('characters', () => {
  it('are counted as code points', () => {
    for (const text of ['', 'abc', '你好', '😀a😀', '\uD83D', 'a\uDE00\uD83D']) {
      expect(codePoints(text)).toBe(Array.from(text).length);
    }
  });
});

describe('the page', () => {
  it('is HTML for browsers, and lists every account as JSON for tools', async () => {
    const page = await vendors.send('/vendors', { headers: { accept: 'text/html', 'accept-language': 'en' } });
    expect(page.text).toContain('<h1>Translation vendors</h1>');
    expect((await vendors.send('/vendors/browser/vendor-list.js')).text).toContain("from './account-node.js'");
    await vendors.setFault('sandbox-deepl-seen', { kind: 'error' });
    const { accounts } = (await vendors.send('/vendors')).json as unknown as { accounts: Json[] };
    expect(accounts).toHaveLength(15);
    expect(accounts.filter(({ vendor }) => vendor === 'deepl')).toMatchObject([
      { account: 'sandbox-deepl-1', switches: [], count: 0 },
      { account: 'sandbox-deepl-2' },
      { account: 'sandbox-deepl-seen', switches: [{ kind: 'error', left: null, hits: 0 }] },
    ]);
  });
});
