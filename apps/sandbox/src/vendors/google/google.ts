import type { FastifyInstance, FastifyRequest } from 'fastify';

import { type Account, parseVendorAccount } from '../account.js';
import { escapedHtml } from '../html-text.js';
import { bytesOf, headerOf, isObject, isTexts, type Json, jsonIn, queryOf } from '../request-body.js';
import { serveCall, type VendorServices } from '../serve-call.js';
import { translate } from '../translate.js';
import { detectLanguage } from '../translation/detection.js';
import { languageOf } from '../translation/language.js';
import {
  type AcceptedCall,
  ok,
  retryAfter,
  type VendorReply,
  VendorRefusal,
  type VendorProtocol,
} from '../vendor-answer.js';
import { codePoints } from '../vendor-calls.js';
import { englishName, vendorLanguages } from '../vendor-languages.js';

const MAX_TEXTS = 128;
const MAX_BYTES = 100 * 1024;

/** Code points per request. */
const MAX_CHARS = 30_000;

/** Google Cloud Translation, Basic (v2), with an API key. */
export function googleRoutes(scope: FastifyInstance, services: VendorServices): void {
  const path = '/vendors/google/language/translate/v2';
  scope.post(path, (request, reply) =>
    serveCall(reply, {
      ...services,
      wire: GOOGLE,
      call: 'translate',
      name: keyIn(request),
      handle: () => translation(request),
    }),
  );
  scope.post(`${path}/detect`, (request, reply) =>
    serveCall(reply, {
      ...services,
      wire: GOOGLE,
      call: 'detect',
      name: keyIn(request),
      handle: () => detection(request),
    }),
  );
  scope.get(`${path}/languages`, (request, reply) =>
    serveCall(reply, {
      ...services,
      wire: GOOGLE,
      call: 'languages',
      name: keyIn(request),
      handle: () => listLanguages(request),
    }),
  );
}

const keyIn = (request: FastifyRequest): string =>
  headerOf(request, 'x-goog-api-key') || (queryOf(request).get('key') ?? '');

function accountIn(request: FastifyRequest): Account {
  const key = keyIn(request);
  if (key === '') throw refuse('noKey');
  const account = parseVendorAccount('google', key);
  if (!account) throw refuse('key');
  return account;
}

function bodyIn(request: FastifyRequest): Json {
  const bytes = bytesOf(request);
  if (bytes.length > MAX_BYTES) throw refuse('tooLarge');
  const body = jsonIn(bytes);
  if (!isObject(body)) throw refuse('notJson');
  return body;
}

function textsIn({ q }: Json): readonly string[] {
  const texts = typeof q === 'string' ? [q] : q;
  if (!isTexts(texts) || texts.length === 0) throw refuse('noText');
  if (texts.length > MAX_TEXTS) throw refuse('tooMany');
  if (texts.reduce((sum, text) => sum + codePoints(text), 0) > MAX_CHARS) throw refuse('tooLong');
  return texts;
}

function languageIn(value: unknown): string {
  const code = typeof value === 'string' ? GOOGLE_LANGUAGES.find(value) : null;
  if (code === null) throw refuse('invalid');
  return code;
}

function translation(request: FastifyRequest): AcceptedCall {
  const account = accountIn(request);
  const body = bodyIn(request);
  const texts = textsIn(body);
  const target = languageIn(body['target']);
  const source = body['source'] === undefined || body['source'] === '' ? null : languageIn(body['source']);
  const { format = 'html' } = body;
  if (format !== 'html' && format !== 'text') throw refuse('invalid');
  if (source !== null && languageOf(source).tag === languageOf(target).tag) refusePair(source, target);
  return {
    account,
    details: { call: 'translate', texts, source, target },
    respond: (corruptions) => {
      const done = translate({ vendor: 'google', texts, source, target }, corruptions);
      const translations = done.map(({ text, detected }) => ({
        translatedText: format === 'html' ? escapedHtml(text) : text,
        detectedSourceLanguage: detected ? GOOGLE_LANGUAGES.codeFor(detected.tag) : undefined,
      }));
      return ok({ data: { translations } });
    },
  };
}

function detection(request: FastifyRequest): AcceptedCall {
  const account = accountIn(request);
  const texts = textsIn(bodyIn(request));
  return {
    account,
    details: { call: 'detect', texts, source: null, target: null },
    respond: () => {
      const detections = texts.map((text) => {
        const { tag, confidence } = detectLanguage(text);
        return [{ language: GOOGLE_LANGUAGES.codeFor(tag), confidence: confidence, isReliable: false }];
      });
      return ok({ data: { detections } });
    },
  };
}

function listLanguages(request: FastifyRequest): AcceptedCall {
  const account = accountIn(request);
  const target = queryOf(request).get('target');
  if (target !== null) languageIn(target);
  return {
    account,
    details: { call: 'languages', texts: [], source: null, target },
    respond: () => {
      const languages = GOOGLE_LANGUAGES.codes.map((language) =>
        target === null ? { language } : { language, name: englishName(language, languageOf(target).tag) },
      );
      return ok({ data: { languages } });
    },
  };
}

/** `GET …/languages`; newer codes are accepted as aliases. */
export const GOOGLE_LANGUAGES = vendorLanguages(
  `zh-CN zh-TW en ja ko fr de es pt ru ar vi th id ms it tr hi ab ace ach af ak sq alz am hy as awa ay az ban bm bn ba eu btx
  bts bbc be bem bew bho bik bs br bg bua yue ca ceb cgg cv co crh hr cs da din dv doi dov nl dz eo et ee fj fil fi fr-CA ff
  gaa gl lg ka el gn gu ht cnh ha haw iw hil hmn hu hrx is ig ilo ga jw kn kk km rw ktu gom kri ku ckb ky lo ltg la lv lij li
  ln lt lmo luo lb mk mai mak mg ms-Arab ml mt mni-Mtei mi mr chm min lus mn my ne new nso no nus ny oc or om pam pag pap ps
  fa pl pt-PT pa pa-Arab qu rom ro rn sm sg sa gd sr crs shn sn scn szl sd si sk sl so nr st su sw ss sv tg ta tt te tet ti ts
  tn tk uk ur ug uz cy fy xh yi yo yua zu`,
  { zh: 'zh-CN', 'zh-Hans': 'zh-CN', 'zh-Hant': 'zh-TW', he: 'iw', jv: 'jw', tl: 'fil', 'pt-BR': 'pt', nb: 'no' },
);

interface ErrorDetails {
  readonly message: string;
  readonly reason: string;
  readonly domain?: string;
  readonly status?: string;
  /** A reason of google.rpc.ErrorInfo. */
  readonly info?: string;
}

/** An error in the shape of the v2 API. */
export function googleError(
  code: number,
  { message, reason, domain = 'global', status, info }: ErrorDetails,
): VendorReply {
  const details = info && [
    { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: info, domain: 'googleapis.com' },
  ];
  const error = { code, message, errors: [{ message, domain, reason }], status, details };
  return { status: code, body: { error }, error: info ?? reason };
}

const INVALID_KEY = googleError(400, {
  message: 'API key not valid. Please pass a valid API key.',
  reason: 'badRequest',
  status: 'INVALID_ARGUMENT',
  info: 'API_KEY_INVALID',
});
const INVALID = googleError(400, { message: 'Invalid Value', reason: 'invalid' });
const limit = (message: string, reason: string) => googleError(403, { message, reason, domain: 'usageLimits' });

/** Error responses to invalid requests. */
export const GOOGLE_ERRORS = {
  key: INVALID_KEY,
  noKey: googleError(403, {
    message: "Method doesn't allow unregistered callers (callers without established identity).",
    reason: 'forbidden',
    status: 'PERMISSION_DENIED',
  }),
  notJson: googleError(400, { message: 'Invalid JSON payload received.', reason: 'parseError' }),
  invalid: INVALID,
  noText: googleError(400, { message: 'Required Text', reason: 'required' }),
  tooMany: googleError(400, { message: 'Too many text segments', reason: 'invalid' }),
  tooLong: googleError(400, { message: 'Text too long', reason: 'invalid', status: 'INVALID_ARGUMENT' }),
  tooLarge: googleError(413, {
    message: 'Request payload size exceeds the limit: 102400 bytes.',
    reason: 'uploadTooLarge',
  }),
} as const satisfies Record<string, VendorReply>;

export const refuse = (error: keyof typeof GOOGLE_ERRORS) => new VendorRefusal(GOOGLE_ERRORS[error]);

/** Throws the error for an unsupported language pair. */
export function refusePair(source: string, target: string): never {
  const message = `Bad language pair: ${source}|${target}`;
  throw new VendorRefusal(googleError(400, { message, reason: 'badRequest' }));
}

export const GOOGLE: VendorProtocol = {
  vendor: 'google',
  refusals: {
    rate: ({ ms, status }) => ({
      ...(status === 403
        ? limit('User Rate Limit Exceeded', 'userRateLimitExceeded')
        : googleError(429, { message: 'Quota exceeded.', reason: 'rateLimitExceeded', status: 'RESOURCE_EXHAUSTED' })),
      headers: retryAfter(ms),
    }),
    quota: () => limit('Daily Limit Exceeded', 'dailyLimitExceeded'),
    auth: () => INVALID_KEY,
    error: ({ status = 503 }) => googleError(status, { message: 'Backend Error', reason: 'backendError' }),
    block: () => INVALID,
  },
};
