import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseVendorAccount, type Account } from '../account.js';
import { serveCall, type VendorServices } from '../serve-call.js';
import { escapedHtml } from '../html-text.js';
import { bytesOf, isObject, isOfType, isTexts, jsonIn, type Json } from '../request-body.js';
import { translate, type TranslatedText } from '../translate.js';
import { detectLanguage, type DetectedLanguage } from '../translation/detection.js';
import { languageOf } from '../translation/language.js';
import {
  ok,
  VendorRefusal,
  type AcceptedCall,
  retryAfter,
  type VendorReply,
  type VendorProtocol,
} from '../vendor-answer.js';
import { codePoints, type CallKind } from '../vendor-calls.js';
import { englishName, vendorLanguages } from '../vendor-languages.js';

/** Server settings LT_CHAR_LIMIT and LT_BATCH_LIMIT. */
const MAX_CHARS = 5000;
const MAX_TEXTS = 50;

/** A LibreTranslate server that requires API keys. */
export function libretranslateRoutes(scope: FastifyInstance, services: VendorServices): void {
  const base = '/vendors/libretranslate';
  const serve =
    (call: CallKind, work: (body: Json) => AcceptedCall) => (request: FastifyRequest, reply: FastifyReply) => {
      const body = bodyIn(request);
      const name = typeof body?.['api_key'] === 'string' ? body['api_key'] : null;
      const read = () => {
        if (!body) throw refuse(400, 'Invalid JSON format');
        return work(body);
      };
      return serveCall(reply, { ...services, wire: LIBRETRANSLATE, call, name, handle: read });
    };
  scope.post(`${base}/translate`, serve('translate', translation));
  scope.post(`${base}/detect`, serve('detect', detection));
  scope.get(`${base}/languages`, () => listLanguages());
  scope.get(`${base}/health`, () => ({ status: 'ok' }));
  scope.get(`${base}/frontend/settings`, () => ({ apiKeys: true, charLimit: MAX_CHARS, batchLimit: MAX_TEXTS }));
}

/** Parses JSON or a form; null for anything else. */
function bodyIn(request: FastifyRequest): Json | null {
  const bytes = bytesOf(request);
  if (isOfType(request, 'application/x-www-form-urlencoded')) {
    return Object.fromEntries(new URLSearchParams(bytes.toString('utf8')));
  }
  const body = jsonIn(bytes);
  return isObject(body) ? body : null;
}

function accountIn({ api_key: key }: Json): Account {
  if (key === undefined || key === '') throw refuse(400, 'Please contact the server operator to get an API key');
  const account = typeof key === 'string' ? parseVendorAccount('libretranslate', key) : null;
  if (!account) throw new VendorRefusal(INVALID_KEY);
  return account;
}

function translation(body: Json): AcceptedCall {
  const account = accountIn(body);
  const { q, format = 'text' } = body;
  const [single, texts] = [typeof q === 'string', typeof q === 'string' ? [q] : q];
  if (!isTexts(texts) || texts.length === 0) throw refuse(400, 'Invalid request: missing q parameter');
  const source = body['source'] === 'auto' ? null : codeIn(body, 'source');
  const target = codeIn(body, 'target');
  if (format !== 'text' && format !== 'html') throw refuse(400, `${String(format)} format is not supported`);
  if (texts.length > MAX_TEXTS) {
    throw refuse(400, `Invalid request: request (${texts.length}) exceeds batch limit (${MAX_TEXTS})`);
  }
  const chars = texts.reduce((sum, text) => sum + codePoints(text), 0);
  if (chars > MAX_CHARS) throw refuse(400, `Invalid request: request (${chars}) exceeds text limit (${MAX_CHARS})`);
  return {
    account,
    details: { call: 'translate', texts, source, target },
    respond: (corruptions) => {
      const same = source === target ? (['echo'] as const) : [];
      const done = translate({ vendor: 'libretranslate', texts, source, target }, [...same, ...corruptions]);
      const made = format === 'html' ? done.map((one) => ({ ...one, text: escapedHtml(one.text) })) : done;
      return ok(single && made.length === 1 ? oneAnswer(made) : manyAnswer(made, source));
    },
  };
}

function codeIn(body: Json, name: 'source' | 'target'): string {
  const value = body[name];
  if (typeof value !== 'string' || value === '') throw refuse(400, `Invalid request: missing ${name} parameter`);
  const code = LIBRETRANSLATE_LANGUAGES.find(value);
  if (code === null) throw refuse(400, `${value} is not supported`);
  return code;
}

const detectionView = ({ tag, confidence }: DetectedLanguage) => ({
  confidence: Math.round(confidence * 100),
  language: LIBRETRANSLATE_LANGUAGES.codeFor(tag),
});

const oneAnswer = ([one]: readonly TranslatedText[]): object => ({
  translatedText: one?.text,
  detectedLanguage: one?.detected ? detectionView(one.detected) : undefined,
});

const manyAnswer = (done: readonly TranslatedText[], source: string | null): object => ({
  translatedText: done.map(({ text }) => text),
  detectedLanguage:
    source === null ? done.flatMap(({ detected }) => (detected ? [detectionView(detected)] : [])) : undefined,
});

function detection(body: Json): AcceptedCall {
  const account = accountIn(body);
  const { q } = body;
  if (typeof q !== 'string' || q === '') throw refuse(400, 'Invalid request: missing q parameter');
  return {
    account,
    details: { call: 'detect', texts: [q], source: null, target: null },
    respond: () => ok([detectionView(detectLanguage(q))]),
  };
}

function listLanguages(): readonly object[] {
  return LIBRETRANSLATE_LANGUAGES.codes.map((code) => ({
    code,
    name: englishName(languageOf(code).tag),
    targets: LIBRETRANSLATE_LANGUAGES.codes,
  }));
}

/** Installed languages, each into every other. Older codes are accepted as aliases. */
export const LIBRETRANSLATE_LANGUAGES = vendorLanguages(
  `en sq ar az eu bn bg ca zh-Hans zh-Hant cs da nl eo et fi fr gl de el he hi hu id ga it ja ko ky lv lt ms nb fa pl pt pt-BR ro
  ru sk sl es sv tl th tr uk ur vi`,
  { zh: 'zh-Hans', zt: 'zh-Hant', pb: 'pt-BR', no: 'nb' },
);

export const libreError = (status: number, error: string): VendorReply => ({ status, body: { error }, error });

export const refuse = (status: number, error: string) => new VendorRefusal(libreError(status, error));

export const INVALID_KEY = libreError(403, 'Invalid API key');

export const LIBRETRANSLATE: VendorProtocol = {
  vendor: 'libretranslate',
  refusals: {
    rate: ({ ms }) => ({ ...libreError(429, 'Slowdown: 5 per 1 second'), headers: retryAfter(ms) }),
    // LibreTranslate has no quota; it bans clients that exceed its limits.
    quota: () => libreError(403, 'Too many request limits violations'),
    auth: () => INVALID_KEY,
    error: ({ status = 500 }) => libreError(status, 'Cannot translate text: the model is gone'),
    block: () => libreError(400, 'Invalid request'),
  },
};
