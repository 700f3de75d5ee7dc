import type { VendorName } from '../src/vendors/account.js';
import {
  askChat,
  askMicrosoft,
  askTencent,
  askYoudao,
  youdaoForm,
  type VendorResponse,
  type Json,
  type VendorSandbox,
} from './vendor-sandbox.js';

/** A client of one vendor: texts in, texts out. */
export interface VendorClient {
  readonly vendor: VendorName;
  /** Translates from English; language codes are the vendor's. */
  readonly ask: (
    vendors: VendorSandbox,
    account: string,
    texts: readonly string[],
    target?: string,
  ) => Promise<VendorResponse>;
  /** The texts of a response, or undefined. */
  readonly texts: (heard: VendorResponse) => readonly unknown[] | undefined;
  /** The vendor's error code. */
  readonly error: (heard: VendorResponse) => unknown;
  readonly chinese: string;
}

const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((from, name) => (from as Json | undefined)?.[name], value);
const list = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);
const pluck = (value: unknown, ...path: readonly (string | number)[]) => list(value)?.map((one) => at(one, ...path));

/** A client of every simulated vendor. */
export const VENDOR_CLIENTS: readonly VendorClient[] = [
  {
    vendor: 'google',
    chinese: 'zh-CN',
    ask: (vendors, account, texts, target = 'zh-CN') =>
      vendors.post(
        '/vendors/google/language/translate/v2',
        { q: texts, source: 'en', target, format: 'text' },
        { 'x-goog-api-key': account },
      ),
    texts: ({ json }) => pluck(at(json, 'data', 'translations'), 'translatedText'),
    error: ({ json }) => at(json, 'error', 'details', 0, 'reason') ?? at(json, 'error', 'errors', 0, 'reason'),
  },
  {
    vendor: 'microsoft',
    chinese: 'zh-Hans',
    ask: (vendors, account, texts, target = 'zh-Hans') =>
      askMicrosoft(vendors, { account, query: `from=en&to=${target}`, body: texts.map((text) => ({ Text: text })) }),
    texts: ({ json }) => pluck(json, 'translations', 0, 'text'),
    error: ({ json }) => at(json, 'error', 'code'),
  },
  {
    vendor: 'tencent',
    chinese: 'zh',
    ask: (vendors, account, texts, target = 'zh') =>
      texts.length === 1
        ? askTencent(vendors, { SourceText: texts[0], Source: 'en', Target: target, ProjectId: 0 }, { account })
        : askTencent(
            vendors,
            { SourceTextList: texts, Source: 'en', Target: target, ProjectId: 0 },
            { account, action: 'TextTranslateBatch' },
          ),
    texts: ({ json }) => {
      const one = at(json, 'Response', 'TargetText');
      return list(at(json, 'Response', 'TargetTextList')) ?? (typeof one === 'string' ? [one] : undefined);
    },
    error: ({ json }) => at(json, 'Response', 'Error', 'Code'),
  },
  {
    vendor: 'youdao',
    chinese: 'zh-CHS',
    ask: (vendors, account, texts, target = 'zh-CHS') =>
      askYoudao(vendors, youdaoForm(account, { texts, source: 'en', target }), texts.length > 1 ? '/v2/api' : '/api'),
    texts: ({ json }) => list(json?.['translation']) ?? pluck(json?.['translateResults'], 'translation'),
    error: ({ json }) => (json?.['errorCode'] === '0' ? undefined : json?.['errorCode']),
  },
  {
    vendor: 'deepl',
    chinese: 'ZH-HANS',
    ask: (vendors, account, texts, target = 'ZH-HANS') =>
      vendors.post(
        '/vendors/deepl/v2/translate',
        { text: texts, source_lang: 'EN', target_lang: target },
        { authorization: `DeepL-Auth-Key ${account}` },
      ),
    texts: ({ json }) => pluck(json?.['translations'], 'text'),
    error: ({ json }) => json?.['message'],
  },
  {
    vendor: 'chatgpt',
    chinese: 'zh-Hans',
    ask: (vendors, account, texts, target = 'zh-Hans') => {
      const many = texts.length > 1;
      const what = many ? 'every string of the JSON array in the user message' : 'the user message';
      const system = `You are a translation engine. Translate ${what} from English (en) into X (${target}).`;
      const content = many ? JSON.stringify(texts) : texts[0];
      return askChat(vendors, account, {
        messages: [
          { role: 'system', content: system },
          { role: 'user', content },
        ],
        ...(many && { response_format: { type: 'json_object' } }),
      });
    },
    texts: ({ json }) => {
      const content = at(json, 'choices', 0, 'message', 'content');
      if (typeof content !== 'string') return undefined;
      return content.startsWith('{"translations"') ? list(at(JSON.parse(content), 'translations')) : [content];
    },
    error: ({ json }) => at(json, 'error', 'code') ?? at(json, 'error', 'type'),
  },
  {
    vendor: 'libretranslate',
    chinese: 'zh-Hans',
    ask: (vendors, account, texts, target = 'zh-Hans') =>
      vendors.post('/vendors/libretranslate/translate', {
        q: texts.length === 1 ? texts[0] : texts,
        source: 'en',
        target,
        api_key: account,
      }),
    texts: ({ json }) => {
      const said = json?.['translatedText'];
      return typeof said === 'string' ? [said] : list(said);
    },
    error: ({ json }) => json?.['error'],
  },
];
