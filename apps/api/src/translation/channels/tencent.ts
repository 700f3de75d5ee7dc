import { z } from 'zod';
import type { VendorAccount } from './account.js';
import { vendorPair } from './language-codes.js';
import { tencentTranslates } from './tencent-pairs.js';
import { tc3Authorization } from './tencent-signature.js';
import { type VendorClient, VendorFailure, type VendorFailureKind, type VendorLimits } from './vendor.js';
import { answered, kindOfStatus, refused, understood, VendorHttp, type VendorReply } from './vendor-call.js';
import { vendorLanguages } from './vendor-languages.js';

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

/** Tencent Machine Translation, TextTranslate of 2018-03-21. It is never left to find out the source: its current API cannot. */
export function tencent(account: VendorAccount): VendorClient {
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
    languages: () => vendorLanguages('tencent'),
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
  const pair = source === null ? null : vendorPair('tencent', source, target);
  return pair && tencentTranslates(pair.source, pair.target) ? pair : null;
};

/** Errors come with HTTP 200 as a rule, by their code alone. */
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

/** By the first word of a code, of which Tencent adds ever more. */
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
