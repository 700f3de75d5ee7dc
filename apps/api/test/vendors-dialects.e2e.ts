import { afterEach, describe, expect, it } from '@jest/globals';
import { tencent } from '../src/translation/channels/tencent.js';
import { languages } from '../src/translation/channels/languages.js';
import { tc3Authorization } from '../src/translation/channels/tencent.js';
import type { VendorAccount, VendorClient } from '../src/translation/channels/vendor.js';
import type { VendorCode } from '../src/translation/channels/vendor-settings.js';
import { clientOf } from '../src/translation/channels/vendors.js';
import { callsOf, sandboxAccount } from './support/sandbox-vendors.js';
import { asked, failureOf, kindOf } from './support/vendor-accounts.js';

const open: VendorClient[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
});
const at = (account: VendorAccount): VendorClient => {
  const client = clientOf(account);
  open.push(client);
  return client;
};

/** The peculiarities of single vendors, against a sandbox written independently from the same documentation. */
describe('Tencent', () => {
  /** Whether the vendor itself supports a pair, by its own codes, whatever our table says. */
  const does = async (account: VendorAccount, source: string, target: string): Promise<boolean> => {
    const { host, pathname } = new URL(`${account.baseUrl}/`);
    const body = JSON.stringify({ SourceText: 'Hello', Source: source, Target: target, ProjectId: 0 });
    const timestamp = Math.floor(Date.now() / 1_000);
    const signed = { 'content-type': 'application/json', host };
    const key = { id: account.key, secret: account.secret ?? '' };
    const answer = await fetch(`${account.baseUrl}/`, {
      method: 'POST',
      body,
      headers: {
        ...signed,
        authorization: tc3Authorization({ service: 'tmt', path: pathname, headers: signed, body, timestamp }, key),
        'x-tc-action': 'TextTranslate',
        'x-tc-version': '2018-03-21',
        'x-tc-timestamp': String(timestamp),
        'x-tc-region': 'ap-guangzhou',
      },
    });
    const { Response } = (await answer.json()) as { Response: { TargetText?: string; Error?: { Code: string } } };
    if (Response.Error && Response.Error.Code !== 'UnsupportedOperation.UnsupportedLanguage')
      throw new Error(`${source} to ${target}: ${Response.Error.Code}`);
    return Response.TargetText !== undefined;
  };

  it('supports exactly the pairs of our table', async () => {
    const rows = languages().flatMap(({ langCode }) => {
      const code = tencent.languages.own(langCode);
      return code === null ? [] : [{ langCode, code }];
    });
    const client = at(sandboxAccount('tencent', 'pairs'));
    for (const source of rows)
      for (let from = 0; from < rows.length; from += 3) {
        // Its rate is five requests a second: no account is called more often here.
        const account = sandboxAccount('tencent', 'pairs');
        const some = rows.slice(from, from + 3).filter(({ code }) => code !== source.code);
        for (const target of some)
          expect([source.code, target.code, await does(account, source.code, target.code)]).toEqual([
            source.code,
            target.code,
            client.supports(source.langCode, target.langCode),
          ]);
      }
  });
});

describe('Youdao', () => {
  const emoji = '😀'.repeat(12);

  it('accepts either count of a signature, or finds it at the second attempt', async () => {
    const either = sandboxAccount('youdao', 'utf16');
    await at(either).translate(asked({ texts: [`${emoji} hello`] }));
    expect(await callsOf(either)).toMatchObject({ count: 1, refused: 0 });

    const account = sandboxAccount('youdao', 'counting');
    const points: VendorAccount = {
      ...account,
      key: `${account.key}-points`,
      secret: `${account.secret}-points`,
    };
    const client = at(points);
    for (const texts of [[`${emoji} hello`], [`hello ${emoji}`, 'world'], [`${emoji} again`]])
      expect((await client.translate(asked({ texts }))).texts).toHaveLength(texts.length);
    // Rejected once, then never sent again.
    expect(await callsOf(points)).toMatchObject({ count: 4, refused: 1 });
  });

  it('is called text by text for apps without batches', async () => {
    const account = sandboxAccount('youdao', 'app');
    const client = at({ ...account, key: `${account.key}-single`, secret: `${account.secret}-single` });
    expect(await kindOf(client.translate(asked({ texts: ['one', 'two'] })), [])).toBe('too-long');
    expect(client.limits.textsPerRequest).toBe(1);
    expect((await client.translate(asked({ texts: ['one'] }))).texts).toHaveLength(1);
  });
});

describe('ChatGPT', () => {
  it.each(['sandbox-gpt', 'sandbox-reasoning', 'sandbox-local'])('adapts to the dialect of %s', async (model) => {
    const account = sandboxAccount('chatgpt', 'manners', { model });
    const client = at(account);
    for (const texts of [['Hello'], ['Hello', 'How much is it'], ['Hello']])
      expect((await client.translate(asked({ texts }))).texts).toHaveLength(texts.length);
    const { texts, detected } = await client.translate(
      asked({ texts: ['这个多少钱？', 'Hello'], source: null, target: 'ja' }),
    );
    expect([texts.length, detected]).toEqual([2, ['zh-Hans', 'en']]);
  });

  it('reports a missing model', async () => {
    const client = at(sandboxAccount('chatgpt', 'model', { model: 'no-such-model' }));
    expect(await kindOf(client.translate(asked({ texts: ['Hello'] })), [])).toBe('bad-request');
  });
});

describe('listed languages', () => {
  it.each<VendorCode>(['google', 'microsoft', 'youdao', 'deepl', 'chatgpt'])(
    'are accepted by %s as targets, each by the code that is sent',
    async (code) => {
      const client = at(sandboxAccount(code, 'languages'));
      const { targets } = client.languages();
      const strange: string[] = [];
      for (const target of targets) {
        if (!client.supports('zh-Hans', target)) continue;
        await client.translate(asked({ texts: ['你好'], source: 'zh-Hans', target })).catch(() => strange.push(target));
      }
      expect(strange).toEqual([]);
    },
  );
});

describe('vendor-specific settings', () => {
  const ask = (account: VendorAccount) => at(account).translate(asked({ texts: ['Hello'] }));

  it('include a region: none for a global Microsoft resource, its own for a regional one', async () => {
    const global = sandboxAccount('microsoft', 'global-contract', { region: null });
    expect(global.key).toContain('-global-');
    expect((await ask(global)).texts).toHaveLength(1);
    expect((await failureOf(ask(sandboxAccount('microsoft', 'contract', { region: null })))).kind).toBe('auth');
    expect((await failureOf(ask(sandboxAccount('microsoft', 'contract', { region: 'westeurope' })))).kind).toBe('auth');
  });

  it('include a host for each DeepL plan', async () => {
    const paid = sandboxAccount('deepl', 'contract');
    const free = { ...paid, key: `${paid.key}:fx`, baseUrl: `${paid.baseUrl}-free` };
    expect((await ask(free)).texts).toHaveLength(1);
    expect((await failureOf(ask({ ...free, baseUrl: paid.baseUrl }))).kind).toBe('auth');
    expect((await failureOf(ask({ ...paid, baseUrl: free.baseUrl }))).kind).toBe('auth');
  });

  it('include a key that a LibreTranslate server may require', async () => {
    const account = sandboxAccount('libretranslate', 'contract', { key: '' });
    expect((await failureOf(ask(account))).kind).toBe('auth');
  });
});
