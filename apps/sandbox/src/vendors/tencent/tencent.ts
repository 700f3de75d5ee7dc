import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { type Account, parseVendorAccount } from '../account.js';
import { bytesOf, headerOf, isObject, isTexts, type Json, jsonIn } from '../request-body.js';
import { serveCall, type VendorServices } from '../serve-call.js';
import { translate } from '../translate.js';
import { detectLanguage } from '../translation/detection.js';
import {
  type AcceptedCall,
  badGateway,
  type VendorReply,
  VendorRefusal,
  type VendorProtocol,
} from '../vendor-answer.js';
import { type CallDetails, type CallKind, codePoints } from '../vendor-calls.js';
import type { Corruption } from '../vendor-faults.js';
import { vendorLanguages } from '../vendor-languages.js';
import { dayOf, expectedSignature, isFresh, readCredential } from './tencent-signature.js';

const VERSION = '2018-03-21';
const SERVICE = 'tmt';

/** Tencent Machine Translation: one URL, the action in a header, requests signed with TC3. */
export function tencentRoutes(scope: FastifyInstance, services: VendorServices): void {
  for (const path of ['/vendors/tencent', '/vendors/tencent/']) {
    scope.post(path, (request, reply) => {
      const name = readCredential(headerOf(request, 'authorization'))?.secretId ?? null;
      return serveCall(reply, {
        ...services,
        wire: TENCENT,
        call: callOf(request),
        name,
        handle: () => acceptCall(request),
      });
    });
  }
}

const callOf = (request: FastifyRequest): CallKind =>
  headerOf(request, 'x-tc-action') === 'LanguageDetect' ? 'detect' : 'translate';

function acceptCall(request: FastifyRequest): AcceptedCall {
  const account = verifyAccount(request);
  const action = TENCENT_ACTIONS[headerOf(request, 'x-tc-action')];
  if (!action) throw refusal('InvalidAction', 'The requested API does not exist.');
  if (headerOf(request, 'x-tc-version') !== VERSION) {
    throw refusal('NoSuchVersion', 'The requested API version does not exist.');
  }
  const region = headerOf(request, 'x-tc-region');
  if (region === '') throw refusal('MissingParameter', 'The request is missing the parameter `Region`.');
  if (!/^(?:ap|na|eu|sa)-[a-z]+(?:-\d)?$/.test(region)) throw refusal('UnsupportedRegion', 'Region is not supported.');
  const { details, respond } = action(account, bodyIn(request));
  return {
    account,
    details,
    respond: (corruptions) => ({
      status: 200,
      body: { Response: { ...respond(corruptions), RequestId: randomUUID() } },
      error: null,
    }),
  };
}

/** Verifies the signature and returns the account. Throws AuthFailure. */
function verifyAccount(request: FastifyRequest): Account {
  const credential = readCredential(headerOf(request, 'authorization'));
  const wrong = (code: string, message: string) => refusal(`AuthFailure.${code}`, message);
  if (!credential) throw wrong('SignatureFailure', 'The Authorization header is missing or not TC3-HMAC-SHA256.');
  const timestamp = headerOf(request, 'x-tc-timestamp');
  if (!isFresh(timestamp))
    throw wrong('SignatureExpire', 'The X-TC-Timestamp is more than five minutes away from now.');
  const account = parseVendorAccount('tencent', credential.secretId);
  if (!account) throw wrong('SecretIdNotFound', 'The SecretId is not found.');
  const names = ['content-type', 'host'].every((name) => credential.signedHeaders.includes(name));
  const sorted = credential.signedHeaders.toSorted().join() === credential.signedHeaders.join();
  const scoped = credential.date === dayOf(timestamp) && credential.service === SERVICE;
  const { method = '', url = '', headers } = request.raw;
  const expected = expectedSignature(
    { method, url, headers, body: bytesOf(request) },
    { ...credential, timestamp, secretKey: account.secret },
  );
  if (!names || !sorted || !scoped || expected !== credential.signature) {
    throw wrong('SignatureFailure', 'The provided credentials could not be validated.');
  }
  return account;
}

function bodyIn(request: FastifyRequest): Json {
  const body = jsonIn(bytesOf(request));
  if (!isObject(body)) throw refusal('InvalidRequest', 'The body is not a JSON object.');
  return body;
}

/** Code points per request: the strictest of the limits that Tencent publishes. */
const MAX_CHARS = 2000;

interface Action {
  readonly details: CallDetails;
  /** The members of `Response` except RequestId. */
  readonly respond: (corruptions: readonly Corruption[]) => object;
}

/** Supported actions, by X-TC-Action. */
export const TENCENT_ACTIONS: Readonly<Record<string, (account: Account, body: Json) => Action>> = {
  TextTranslate(account, body) {
    rejectUnknown(body, [
      'SourceText',
      'Source',
      'Target',
      'ProjectId',
      'UntranslatedText',
      'TermRepoIDList',
      'SentRepoIDList',
    ]);
    const text = textIn(body, 'SourceText');
    const { details, translated } = translation(account, { body, texts: [text] });
    return {
      details,
      respond: (corruptions) => {
        const { done, ...pair } = translated(corruptions);
        return { TargetText: done[0], ...pair, UsedAmount: codePoints(text) };
      },
    };
  },
  TextTranslateBatch(account, body) {
    rejectUnknown(body, ['SourceTextList', 'Source', 'Target', 'ProjectId', 'TermRepoIDList', 'SentRepoIDList']);
    const { SourceTextList: texts } = body;
    if (!isTexts(texts) || texts.length === 0) throw missing('SourceTextList');
    const { details, translated } = translation(account, { body, texts });
    return {
      details,
      respond: (corruptions) => {
        const { done, ...pair } = translated(corruptions);
        return { ...pair, TargetTextList: done };
      },
    };
  },
  LanguageDetect(_account, body) {
    rejectUnknown(body, ['Text', 'ProjectId']);
    const text = textIn(body, 'Text');
    projectIn(body);
    const lang = TENCENT_LANGUAGES.codeFor(detectLanguage(text).tag);
    return {
      details: { call: 'detect', texts: [text], source: null, target: null },
      respond: () => ({ Lang: { ja: 'jp', ko: 'kr' }[lang] ?? lang }),
    };
  },
};

function translation(account: Account, { body, texts }: { body: Json; texts: readonly string[] }) {
  projectIn(body);
  if (texts.reduce((sum, text) => sum + codePoints(text), 0) > MAX_CHARS) {
    throw refusal('UnsupportedOperation.TextTooLong', '单次请求text超过长度限制');
  }
  const source = sourceIn(textIn(body, 'Source'), { account, text: texts.join('\n') });
  const target = TENCENT_LANGUAGES.find(textIn(body, 'Target'));
  if (target === null) throw unsupported('UnSupportedTargetLanguage');
  if (!isPair(source, target)) throw unsupported('UnsupportedLanguage');
  return {
    details: { call: 'translate', texts, source: String(body['Source']), target } as const,
    translated: (corruptions: readonly Corruption[]) => ({
      done: translate({ vendor: 'tencent', texts, source, target }, corruptions).map(({ text }) => text),
      Source: source,
      Target: target,
    }),
  };
}

/** `auto` belongs to the older API: only accounts whose suffix ends in `-auto` support it. */
function sourceIn(code: string, { account, text }: { account: Account; text: string }): string {
  if (code === 'auto' && account.suffix.endsWith('-auto')) return TENCENT_LANGUAGES.codeFor(detectLanguage(text).tag);
  const source = TENCENT_LANGUAGES.find(code);
  if (source === null) throw unsupported('UnsupportedSourceLanguage');
  return source;
}

const missing = (name: string) => refusal('MissingParameter', `The request is missing the parameter \`${name}\`.`);
const unsupported = (what: string) => refusal(`UnsupportedOperation.${what}`, '不支持的语种');

function rejectUnknown(body: Json, names: readonly string[]): void {
  const other = Object.keys(body).find((name) => !names.includes(name));
  if (other !== undefined) throw refusal('UnknownParameter', `The parameter \`${other}\` is not recognized.`);
}

function textIn(body: Json, name: string): string {
  const value = body[name];
  if (value === undefined || value === '') throw missing(name);
  if (typeof value !== 'string') throw refusal('InvalidParameter', `The parameter \`${name}\` is not a string.`);
  return value;
}

function projectIn({ ProjectId: project }: Json): void {
  if (project === undefined) throw missing('ProjectId');
  if (!Number.isInteger(project)) throw refusal('InvalidParameter', 'The parameter `ProjectId` is not an integer.');
}

export const TENCENT_LANGUAGES = vendorLanguages('zh zh-TW en ja ko fr es it de tr ru pt vi id th ms ar hi', {
  zh_TW: 'zh-TW',
  jp: 'ja',
  kr: 'ko',
});

const EUROPEAN = ['fr', 'es', 'it', 'de', 'tr', 'ru', 'pt'];
const CHINESE = ['zh', 'zh-TW'];

/** Target languages per source, from Tencent's table. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(EUROPEAN.map((code) => [code, [...CHINESE, 'en', ...EUROPEAN]])),
  ...Object.fromEntries(CHINESE.map((code) => [code, TENCENT_LANGUAGES.codes.filter((other) => other !== 'hi')])),
  ...Object.fromEntries(['vi', 'id', 'th', 'ms', 'ar'].map((code) => [code, [...CHINESE, 'en']])),
  en: TENCENT_LANGUAGES.codes,
  ja: [...CHINESE, 'en', 'ko'],
  ko: [...CHINESE, 'en', 'ja'],
  hi: ['en'],
};

/** Whether Tencent supports this language pair. */
export const isPair = (source: string, target: string): boolean =>
  source !== target && (TARGETS[source] ?? []).includes(target);

/** An error response: HTTP 200, like every response of Tencent. */
export const tencentError = (code: string, message: string): VendorReply => ({
  status: 200,
  body: { Response: { Error: { Code: code, Message: message }, RequestId: randomUUID() } },
  error: code,
});

/** Throwable form of `tencentError`; codes are Tencent's, messages similar to its own. */
export const refusal = (code: string, message: string) => new VendorRefusal(tencentError(code, message));

export const TENCENT: VendorProtocol = {
  vendor: 'tencent',
  refusals: {
    rate: () =>
      tencentError(
        'RequestLimitExceeded',
        'The request frequency of your current api `TextTranslate` exceeded the frequency limit `5/second` of a single account.',
      ),
    quota: () => tencentError('FailedOperation.NoFreeAmount', '本月免费额度已用完'),
    auth: () => tencentError('AuthFailure.SignatureFailure', 'The provided credentials could not be validated.'),
    error: ({ status }) =>
      status === undefined ? tencentError('InternalError', 'An internal error has occurred.') : badGateway(status),
    block: () => tencentError('InvalidParameter', 'The parameter is not valid.'),
  },
};
