import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { answered, kindOfStatus, refused, understood, VendorHttp, type VendorReply } from './vendor-http.js';
import { defineVendor, needsKey, type VendorAccount, type VendorClient, type VendorLimits } from './vendor.js';
import { VendorFailure, type VendorFailureKind } from './vendor-failure.js';
import { VendorLanguages } from './vendor-languages.js';
import { address, key, word } from './vendor-settings.js';

const languages = new VendorLanguages({
  codes: `
    zh-Hans=zh zh-Hant=zh-TW en ja ko fr de es pt-BR=pt ru ar vi th id ms it tr hi
  `,
  aliases: { jp: 'ja', kr: 'ko' },
  // Its current API takes no `auto`.
  detectsSource: false,
});

const LIMITS: VendorLimits = {
  // 2,000 in the older documentation, 6,000 in the newer one.
  charsPerRequest: 1_900,
  bytesPerRequest: null,
  textsPerRequest: 1,
  requestsPerSecond: 5,
  charsPerMinute: null,
  inFlight: 10,
  requestMs: 10_000,
};

const SERVICE = 'tmt';
const ACTION = 'TextTranslate';
const VERSION = '2018-03-21';
const REGION = 'ap-guangzhou';
const CONTENT_TYPE = 'application/json; charset=utf-8';

const ANSWER = z.object({ Response: z.object({ TargetText: z.string() }) });
const ERROR = z.object({ Response: z.object({ Error: z.object({ Code: z.string() }) }) });

/** Tencent Machine Translation, TextTranslate of 2018-03-21. Its current API cannot detect the source. */
function client(account: VendorAccount): VendorClient {
  const http = new VendorHttp(account.baseUrl, LIMITS.inFlight);
  const key = { id: account.key, secret: account.secret ?? '' };

  const headersFor = (path: string, body: string): Record<string, string> => {
    const timestamp = Math.floor(Date.now() / 1_000);
    const signed = { 'content-type': CONTENT_TYPE, host: http.host, 'x-tc-action': ACTION };
    return {
      ...signed,
      authorization: tc3Authorization({ service: SERVICE, path, headers: signed, body, timestamp }, key),
      'x-tc-version': VERSION,
      'x-tc-timestamp': String(timestamp),
      'x-tc-region': account.region ?? REGION,
    };
  };

  return {
    limits: LIMITS,
    supports: (source, target) => pairOf(source, target) !== null,
    languages: () => languages.published(),
    async translate(request) {
      const pair = pairOf(request.source, request.target);
      if (pair === null) throw new VendorFailure('unsupported', 'not a pair of its table');
      const [text = ''] = request.texts;
      const body = JSON.stringify({ SourceText: text, Source: pair.source, Target: pair.target, ProjectId: 0 });
      const path = http.path('/');
      const reply = await http.post({ path, headers: headersFor(path, body), body, signal: request.signal });
      refuse(reply);
      return answered(request, [understood(ANSWER, reply).Response.TargetText], [null]);
    },
    close: () => http.close(),
  };
}

const pairOf = (source: string | null, target: string) => {
  const pair = source === null ? null : languages.pair(source, target);
  return pair && tencentTranslates(pair.source, pair.target) ? pair : null;
};

/** Errors usually come with HTTP 200 and differ only by their code. */
function refuse(reply: VendorReply): void {
  const error = ERROR.safeParse(reply.json);
  if (error.success) {
    const code = error.data.Response.Error.Code;
    throw refused(kindOf(code), reply, code);
  }
  if (reply.status !== 200) throw refused(kindOfStatus(reply.status), reply);
}

const KINDS: ReadonlyMap<string, VendorFailureKind> = new Map([
  ['FailedOperation.NoFreeAmount', 'quota'],
  ['FailedOperation.ServiceIsolate', 'quota'], // in arrears
  ['FailedOperation.UserNotRegistered', 'quota'], // the service was never activated
  ['FailedOperation.StopUsing', 'quota'], // switched off in the account's console
  ['FailedOperation.LanguageRecognitionErr', 'unsupported'],
  ['UnsupportedOperation.UnsupportedLanguage', 'unsupported'],
  ['UnsupportedOperation.UnSupportedTargetLanguage', 'unsupported'],
  ['UnsupportedOperation.UnsupportedSourceLanguage', 'unsupported'],
  ['UnsupportedOperation.TextTooLong', 'too-long'],
]);

/** By the first word of a code, because Tencent keeps adding codes. */
const FAMILIES: ReadonlyMap<string, VendorFailureKind> = new Map([
  ['AuthFailure', 'auth'],
  ['UnauthorizedOperation', 'auth'],
  ['LimitExceeded', 'rate'],
  ['RequestLimitExceeded', 'rate'],
  ['InternalError', 'transient'],
  ['FailedOperation', 'transient'],
  ['InvalidParameter', 'bad-request'],
  ['InvalidParameterValue', 'bad-request'],
  ['MissingParameter', 'bad-request'],
  ['UnknownParameter', 'bad-request'],
  ['UnsupportedOperation', 'bad-request'],
  ['InvalidAction', 'bad-request'],
  ['NoSuchVersion', 'bad-request'],
  ['UnsupportedRegion', 'bad-request'],
]);

const kindOf = (code: string): VendorFailureKind =>
  KINDS.get(code) ?? FAMILIES.get(code.split('.', 1)[0] ?? '') ?? 'transient';

/** Tencent's supported pairs by its own codes: far from all combinations of its 18 languages. */
const HUBS = new Set(['zh', 'zh-TW', 'en']);
const CIRCLES = [new Set(['ja', 'ko']), new Set(['fr', 'es', 'it', 'de', 'tr', 'ru', 'pt'])];

/** Between two codes of the table, in this direction. */
export function tencentTranslates(source: string, target: string): boolean {
  if (source === target) return false;
  const pair = [source, target];
  // Hindi is supported only with English.
  if (pair.includes('hi')) return pair.includes('en');
  return pair.some((code) => HUBS.has(code)) || CIRCLES.some((circle) => pair.every((code) => circle.has(code)));
}

/** The signed request: a POST without a query to `path`. Header names in lower case; all of them are signed, `host` among them. */
type Tc3Request = {
  readonly service: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Unix seconds. */
  readonly timestamp: number;
};

type Tc3Key = { readonly id: string; readonly secret: string };

const ALGORITHM = 'TC3-HMAC-SHA256';

/** The `Authorization` header of Tencent Cloud's signature v3. The sent request must equal the signed one byte for byte. */
export function tc3Authorization(request: Tc3Request, key: Tc3Key): string {
  const { stringToSign, scope, signedHeaders } = tc3StringToSign(request);
  const [date = '', service = '', end = ''] = scope.split('/');
  const signing = hmac(hmac(hmac(`TC3${key.secret}`, date), service), end);
  const signature = hmac(signing, stringToSign).toString('hex');
  return `${ALGORITHM} Credential=${key.id}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`;
}

/** The two texts between a request and its signature. */
export function tc3StringToSign({ service, path, headers, body, timestamp }: Tc3Request) {
  const signed = Object.entries(headers)
    .map(([name, value]) => [name.trim().toLowerCase(), value.trim().toLowerCase()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const signedHeaders = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const canonicalRequest = `POST\n${path}\n\n${lines}\n${signedHeaders}\n${sha256Hex(body)}`;
  // The day in UTC, wherever this runs.
  const scope = `${new Date(timestamp * 1_000).toISOString().slice(0, 10)}/${service}/tc3_request`;
  const stringToSign = `${ALGORITHM}\n${timestamp}\n${scope}\n${sha256Hex(canonicalRequest)}`;
  return { canonicalRequest, stringToSign, scope, signedHeaders };
}

const sha256Hex = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest();

export const tencent = defineVendor({
  shape: {
    TENCENT_SECRET_ID: key.optional(),
    TENCENT_SECRET_KEY: key.optional(),
    TENCENT_REGION: word.default(REGION),
    TENCENT_TMT_URL: address.default('https://tmt.tencentcloudapi.com'),
  },
  dependencies: [
    { set: 'TENCENT_SECRET_ID', needs: ['TENCENT_SECRET_KEY'] },
    { set: 'TENCENT_SECRET_KEY', needs: ['TENCENT_SECRET_ID'] },
  ],
  addresses: ['TENCENT_TMT_URL'],
  required: ['key', 'secret'],
  languages,
  client,
  unavailable: needsKey('腾讯翻译', 'Tencent'),
  account: ({ TENCENT_SECRET_ID: key, TENCENT_SECRET_KEY: secret }) => (key === undefined ? null : { key, secret }),
  baseUrl: (env) => env.TENCENT_TMT_URL,
  region: (env) => env.TENCENT_REGION,
  sandbox: { region: REGION },
});
