import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { type Account, parseVendorAccount } from '../account.js';
import { escapedHtml } from '../html-text.js';
import { bytesOf, headerOf, isObject, isOfType, jsonIn, queryOf } from '../request-body.js';
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
import { type CallKind, codePoints } from '../vendor-calls.js';
import type { Corruption } from '../vendor-faults.js';
import { englishName, vendorLanguages } from '../vendor-languages.js';

const MAX_CHARS = 50_000;
const MAX_TEXTS = { translate: 1000, detect: 100 };

/** The region of every account, except global ones, whose suffix begins with `global`. */
const REGION = 'eastasia';

/** Microsoft Translator, v3. */
export function microsoftRoutes(scope: FastifyInstance, services: VendorServices): void {
  const base = '/vendors/microsoft';
  const serve =
    (call: CallKind, work: (request: FastifyRequest) => AcceptedCall) =>
    (request: FastifyRequest, reply: FastifyReply) =>
      serveCall(reply, { ...services, wire: MICROSOFT, call, name: keyIn(request), handle: () => work(request) });
  scope.post(`${base}/translate`, serve('translate', translation));
  scope.post(`${base}/detect`, serve('detect', detection));
  scope.get(`${base}/languages`, serve('languages', listLanguages));
}

const keyIn = (request: FastifyRequest): string => headerOf(request, 'ocp-apim-subscription-key');

function accountIn(request: FastifyRequest): Account {
  const account = parseVendorAccount('microsoft', keyIn(request));
  const region = headerOf(request, 'ocp-apim-subscription-region');
  const wanted = account?.suffix.startsWith('global') ? '' : REGION;
  if (!account || region.toLowerCase() !== wanted) throw refuse(401000);
  return account;
}

function textsIn(request: FastifyRequest, most: number): readonly string[] {
  if (queryOf(request).get('api-version') !== '3.0') throw refuse(400021);
  if (!isOfType(request, 'application/json')) throw refuse(415000);
  const body = jsonIn(bytesOf(request));
  if (!Array.isArray(body)) throw refuse(400074);
  if (body.length === 0) throw refuse(400000);
  if (body.length > most) throw refuse(400072);
  return body.map((element: unknown) => {
    // Property names are case-insensitive.
    const [, text] = isObject(element) ? (Object.entries(element).find(([name]) => /^text$/i.test(name)) ?? []) : [];
    if (typeof text !== 'string') throw refuse(400000);
    return text;
  });
}

const charsOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + codePoints(text), 0);

function translation(request: FastifyRequest): AcceptedCall {
  const account = accountIn(request);
  const texts = textsIn(request, MAX_TEXTS.translate);
  const query = queryOf(request);
  const source = codeIn(query.get('from'));
  if (source === undefined) throw refuse(400035);
  const targets = query.getAll('to').map((code) => codeIn(code) ?? null);
  const [first] = targets;
  if (first === undefined || !targets.every((code) => code !== null)) throw refuse(400036);
  const html = query.get('textType')?.toLowerCase() === 'html';
  const usage = charsOf(texts) * targets.length;
  if (usage > MAX_CHARS) throw refuse(targets.length > 1 ? 400077 : 400050);
  return {
    account,
    details: { call: 'translate', texts, source, target: targets.join(',') },
    respond: (corruptions) =>
      ok(translateAll({ texts, source, targets, html }, corruptions), {
        'x-requestid': randomUUID(),
        'x-metered-usage': String(usage),
        'x-mt-system': 'Microsoft',
      }),
  };
}

/** Null: not sent. Undefined: unknown code. */
function codeIn(code: string | null): string | null | undefined {
  return code === null ? null : (MICROSOFT_LANGUAGES.find(code) ?? undefined);
}

interface TranslationCall {
  readonly texts: readonly string[];
  readonly source: string | null;
  readonly targets: readonly string[];
  readonly html: boolean;
}

/** One element per text, with its translation into every target. */
function translateAll(
  { texts, source, targets, html }: TranslationCall,
  corruptions: readonly Corruption[],
): readonly object[] {
  const byTarget = targets.map((target) => ({
    target,
    done: translate({ vendor: 'microsoft', texts, source, target }, corruptions),
  }));
  return (byTarget[0]?.done ?? []).map(({ detected }, index) => ({
    detectedLanguage: detected
      ? { language: MICROSOFT_LANGUAGES.codeFor(detected.tag), score: Number(detected.confidence.toFixed(2)) }
      : undefined,
    translations: byTarget.map(({ target, done }) => {
      const text = done[index]?.text ?? '';
      return { text: html ? escapedHtml(text) : text, to: target };
    }),
  }));
}

function detection(request: FastifyRequest): AcceptedCall {
  const account = accountIn(request);
  const texts = textsIn(request, MAX_TEXTS.detect);
  if (charsOf(texts) > MAX_CHARS) throw refuse(400050);
  return {
    account,
    details: { call: 'detect', texts, source: null, target: null },
    respond: () =>
      ok(
        texts.map((text) => {
          const { tag, confidence } = detectLanguage(text);
          const language = MICROSOFT_LANGUAGES.codeFor(tag);
          return { language, score: confidence, isTranslationSupported: true, isTransliterationSupported: false };
        }),
      ),
  };
}

/** Requires no key. */
function listLanguages(request: FastifyRequest): AcceptedCall {
  const query = queryOf(request);
  if (query.get('api-version') !== '3.0') throw refuse(400021);
  const inLanguage = headerOf(request, 'accept-language').startsWith('zh') ? 'zh-Hans' : 'en';
  return {
    account: null,
    details: { call: 'languages', texts: [], source: null, target: null },
    respond: () => {
      const translation = Object.fromEntries(
        MICROSOFT_LANGUAGES.codes.map((code) => {
          const { tag, script } = languageOf(code);
          const dir = directionOf(script);
          return [code, { name: englishName(code, inLanguage), nativeName: englishName(code, tag), dir }];
        }),
      );
      return ok({ translation });
    },
  };
}

/** `GET /languages`, scope translation. */
export const MICROSOFT_LANGUAGES = vendorLanguages(
  `zh-Hans zh-Hant en ja ko fr de es pt ru ar vi th id ms it tr hi af sq am hy as az bn ba eu bho brx bs bg yue ca hne lzh hr cs
  da prs dv doi nl et fo fj fil fi fr-ca gl lug ka el gu ht ha he mww hu is ig ikt iu iu-Latn ga kn ks kk km rw tlh-Latn
  tlh-Piqd gom kmr ku ky lo lv ln lt dsb mk mai mg ml mt mni mi mr mn-Cyrl mn-Mong my ne nso nb nya or ps fa pl pt-pt pa otq ro
  run sm sr-Cyrl sr-Latn sn sd si sk sl so st sw sv ty ta tt te bo ti to tn tk uk hsb ur ug uz cy xh yo yua zu`,
  { zh: 'zh-Hans', 'zh-CN': 'zh-Hans', 'zh-TW': 'zh-Hant', no: 'nb', 'pt-br': 'pt' },
);

const RTL_SCRIPTS = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo']);

/** The writing direction of a script. */
export const directionOf = (script: string): 'rtl' | 'ltr' => (RTL_SCRIPTS.has(script) ? 'rtl' : 'ltr');

/** Microsoft's six-digit codes: the first three are the HTTP status. */
const MESSAGES = {
  400000: 'One of the request inputs is not valid.',
  400021: 'The API version parameter is missing or invalid.',
  400035: 'The source language is not valid.',
  400036: 'The target language is not valid.',
  400050: 'The input text is too long.',
  400072: 'The number of elements in the input array exceeds the limit.',
  400074: 'The body of the request is not valid JSON.',
  400077: 'The maximum request size has been exceeded.',
  401000: 'The request is not authorized because credentials are missing or invalid.',
  403001: 'The operation is not allowed because the subscription has exceeded its free quota.',
  415000: 'The Content-Type header is missing or invalid.',
  429001: 'The server rejected the request because the client has exceeded request limits.',
  503000: 'Service is temporarily unavailable. Please retry.',
} as const;

export function microsoftError(code: keyof typeof MESSAGES): VendorReply {
  return errorOf(Math.floor(code / 1000), { code, message: MESSAGES[code] });
}

const errorOf = (status: number, error: { readonly code: number; readonly message: string }): VendorReply => ({
  status,
  headers: { 'x-requestid': randomUUID() },
  body: { error },
  error: String(error.code),
});

export const refuse = (code: keyof typeof MESSAGES) => new VendorRefusal(microsoftError(code));

export const MICROSOFT: VendorProtocol = {
  vendor: 'microsoft',
  refusals: {
    rate: ({ ms }) => ({ ...microsoftError(429001), headers: retryAfter(ms) }),
    quota: () => microsoftError(403001),
    auth: () => microsoftError(401000),
    error: ({ status = 503 }) => errorOf(status, { code: status * 1000, message: MESSAGES[503000] }),
    block: () => microsoftError(400000),
  },
};
