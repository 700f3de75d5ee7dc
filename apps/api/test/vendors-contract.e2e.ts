import { afterEach, describe, expect, it } from '@jest/globals';
import type { VendorAccount, VendorClient } from '../src/translation/channels/vendor.js';
import type { VendorFailureKind } from '../src/translation/channels/vendor-failure.js';
import type { VendorCode } from '../src/translation/channels/vendor-settings.js';
import { clientOf } from '../src/translation/channels/vendors.js';
import { prepare } from '../src/translation/text/prepare.js';
import { qualityIssueOf } from '../src/translation/text/quality-check.js';
import { pack } from '../src/translation/text/split.js';
import { breakVendor, callsOf, mendVendor, sandboxAccount, type VendorFault } from './support/sandbox-vendors.js';
import { asked, failureOf, kindOf } from './support/vendor-accounts.js';
import { DIALECTS, type VendorDialect } from './support/vendor-dialects.js';

const HELLO = 'Hello';
const SHIPPED = 'your parcel has been shipped and will arrive tomorrow';

/** Every vendor's whole protocol over HTTP, against a sandbox that shares no code with these clients. */
describe.each(Object.entries(DIALECTS) as [VendorCode, VendorDialect][])('%s', (code, manners) => {
  const open: [VendorAccount, VendorClient][] = [];
  afterEach(async () => {
    for (const [account, client] of open.splice(0)) {
      await client.close();
      if (account.key.startsWith('sandbox-')) await mendVendor(account);
    }
  });
  const fresh = (purpose: string, given: Partial<VendorAccount> = {}) => {
    const account = sandboxAccount(code, `contract-${purpose}`, given);
    const client = clientOf(account);
    open.push([account, client]);
    return { account, client };
  };
  const secretsOf = ({ key, secret }: VendorAccount): string[] => [key, secret ?? key, HELLO, SHIPPED];
  /** The failure of a translation during a fault; checks that it reveals neither key nor text. */
  const brokenBy = async (fault: VendorFault) => {
    // Without a response there is nothing to wait for; with one, the machine may be slow.
    const patienceMs = fault.kind === 'hang' || fault.kind === 'delay' ? 400 : 30_000;
    const { account, client } = fresh(fault.kind);
    await client.translate(asked({ texts: [HELLO] }));
    await breakVendor(account, fault);
    const call = () => client.translate(asked({ texts: [SHIPPED], signal: AbortSignal.timeout(patienceMs) }));
    const kind = await kindOf(call(), secretsOf(account));
    const failure = await failureOf(call());
    await mendVendor(account);
    // Transient failures: the same client works on.
    expect((await client.translate(asked({ texts: [HELLO] }))).texts).toHaveLength(1);
    return { kind, failure, account };
  };

  it('translates a text with one call, in its own codes', async () => {
    const { account, client } = fresh('one');
    const { texts, detected } = await client.translate(asked({ texts: [SHIPPED] }));
    expect(detected).toEqual([null]);
    expect(texts[0]).toMatch(/\p{Script=Han}/u);
    const { count, calls } = await callsOf(account);
    expect(count).toBe(1);
    expect(calls[0]).toMatchObject({ call: 'translate', texts: 1, sent: [SHIPPED] });
  });

  it('keeps the order of many texts, in as few requests as its limits allow', async () => {
    const { account, client } = fresh('many');
    const all = [
      'Hello',
      'one two three',
      'How much is it',
      'the second-hand bookshop',
      'Hello',
      'a\nb',
      '"quoted" & <b>',
    ];
    const several = all.slice(0, client.limits.textsPerRequest);
    const { texts } = await client.translate(asked({ texts: several }));
    expect((await callsOf(account)).count).toBe(1);
    const alone = [];
    for (const text of several) alone.push(...(await client.translate(asked({ texts: [text] }))).texts);
    expect(texts).toEqual(alone);
    expect(new Set(texts).size).toBe(new Set(several).size);
  });

  it('translates from and into a sample of languages', async () => {
    const { client } = fresh('pairs');
    await client.translate(asked({ texts: [HELLO] }));
    const said = { 'zh-Hans': '你好', en: 'Hello', ja: 'こんにちは', fr: 'Bonjour', 'zh-Hant': '你好' };
    for (const [source, text] of Object.entries(said))
      for (const target of Object.keys(said)) {
        if (!client.supports(source, target)) continue;
        const { texts } = await client.translate(asked({ texts: [text], source, target }));
        expect(texts).toHaveLength(1);
      }
    expect(client.supports('zh-Hans', 'en')).toBe(true);
  });

  it('detects the source if none is given', async () => {
    const { client } = fresh('auto');
    await client.translate(asked({ texts: [HELLO] }));
    expect(client.languages().auto).toBe(manners.auto);
    expect(client.supports(null, 'ja')).toBe(manners.auto);
    const call = client.translate(asked({ texts: ['这个多少钱？请给我发货'], source: null, target: 'ja' }));
    if (manners.auto) expect((await call).detected).toEqual(['zh-Hans']);
    else expect((await failureOf(call)).kind).toBe('unsupported');
  });

  it('is not called for an unsupported pair', async () => {
    if (manners.stranger === null) return;
    const { account, client } = fresh('stranger');
    await client.translate(asked({ texts: [HELLO] }));
    const [source, target] = manners.stranger;
    expect(client.supports(source, target)).toBe(false);
    const call = client.translate(asked({ texts: [SHIPPED], source, target }));
    expect(await kindOf(call, secretsOf(account))).toBe('unsupported');
    expect((await callsOf(account)).count).toBe(1);
  });

  it('accepts what its limits allow, and reports when they are exceeded', async () => {
    const { account, client } = fresh('limits');
    const { limits } = client;
    const long = [
      'a word and an emoji 😀 and "quotes" in 中文. '.repeat(112),
      '\u{1F600} word '.repeat(700),
      'line\r\n'.repeat(800),
    ];
    for (const text of long) {
      const { pieces } = prepare(text.slice(0, 5_000), limits, 'plain');
      for (const group of pack(pieces, limits)) {
        const texts = group.map((index) => pieces[index] ?? '');
        expect((await client.translate(asked({ texts }))).texts).toHaveLength(texts.length);
      }
    }
    const most = Array.from({ length: limits.textsPerRequest }, (_, at) => `word ${at}`);
    expect((await client.translate(asked({ texts: most }))).texts).toHaveLength(most.length);
    const full = 'word '.repeat(limits.charsPerRequest / 5);
    expect((await client.translate(asked({ texts: [full] }))).texts).toHaveLength(1);
    if (manners.tooMuch) {
      const call = client.translate(asked({ texts: manners.tooMuch }));
      expect(await kindOf(call, [...secretsOf(account), 'aaaa'])).toBe('too-long');
    }
  });

  it('fails as auth with an unknown key or a wrong signature', async () => {
    const { account, client } = fresh('key', { key: `not-${code}-contract` });
    expect(await kindOf(client.translate(asked({ texts: [SHIPPED] })), secretsOf(account))).toBe('auth');
    if (code !== 'tencent' && code !== 'youdao') return;
    const forged = fresh('secret', { secret: 'another-secret' });
    expect(await kindOf(forged.client.translate(asked({ texts: [SHIPPED] })), secretsOf(forged.account))).toBe('auth');
  });

  it('waits for a slow response', async () => {
    const { account, client } = fresh('delay');
    await breakVendor(account, { kind: 'delay', ms: 300 });
    const began = Date.now();
    expect((await client.translate(asked({ texts: [HELLO] }))).texts).toHaveLength(1);
    expect(Date.now() - began).toBeGreaterThanOrEqual(290);
  });

  it.each<[VendorFailureKind, VendorFault]>([
    ['timeout', { kind: 'hang' }],
    ['timeout', { kind: 'delay', ms: 20_000 }],
    ['transient', { kind: 'drop' }],
    ['bad-answer', { kind: 'cut' }],
    ['auth', { kind: 'auth' }],
    ['transient', { kind: 'error' }],
    ['transient', { kind: 'error', status: 500 }],
    ['transient', { kind: 'error', status: 502 }],
    ['transient', { kind: 'error', status: 504 }],
    ['bad-answer', { kind: 'empty' }],
    ['bad-answer', { kind: 'malformed' }],
    ['bad-answer', { kind: 'count' }],
    ['rate', { kind: 'rate' }],
  ])('fails as %s: %j', async (kind, fault) => {
    expect((await brokenBy(fault)).kind).toBe(kind);
  });

  it('fails as configured for its plan and its content policy', async () => {
    expect((await brokenBy({ kind: 'quota' })).kind).toBe(manners.quota);
    expect((await brokenBy({ kind: 'block' })).kind).toBe(manners.block);
  });

  it('fails as bad answer when one of several texts is missing', async () => {
    const { account, client } = fresh('count');
    const texts = [SHIPPED, HELLO, 'How much is it'].slice(0, client.limits.textsPerRequest);
    await breakVendor(account, { kind: 'count' });
    expect(await kindOf(client.translate(asked({ texts })), secretsOf(account))).toBe('bad-answer');
  });

  it('returns how long to pause', async () => {
    expect((await brokenBy({ kind: 'rate', ms: 3_000 })).failure).toMatchObject({
      kind: 'rate',
      retryAfterMs: manners.retryAfter ? 3_000 : null,
    });
  });

  it('is rejected when it returns the source, or another script', async () => {
    const flaws = [];
    for (const kind of ['echo', 'script'] as const) {
      const { account, client } = fresh(kind);
      await breakVendor(account, { kind });
      const [answer = ''] = (await client.translate(asked({ texts: [SHIPPED] }))).texts;
      flaws.push(qualityIssueOf(SHIPPED, answer, { source: 'en', target: 'zh-Hans' }));
    }
    expect(flaws).toEqual(['same', 'script']);
  });

  it('preserves protected pieces, and loses them only when it is faulty', async () => {
    const { account, client } = fresh('masks');
    const text = 'Your order 12345 costs $9.90, see https://shop.example/o?id=7 or write to a@b.cn 😀';
    const through = async () => {
      const prepared = prepare(text, client.limits, 'masked');
      const { texts } = await client.translate(asked({ texts: prepared.pieces }));
      return prepared.restore(texts).lost;
    };
    expect(await through()).toEqual([]);
    await breakVendor(account, { kind: 'lose' });
    expect(await through()).not.toEqual([]);
  });
});
