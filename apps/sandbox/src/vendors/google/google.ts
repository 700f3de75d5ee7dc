import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accountAt, type Account } from '../account.js';
import { serveCall, type VendorServices } from '../serve-call.js';
import { bytesOf, headerOf, isObject, isTexts, jsonIn, queryOf, type Json } from '../request-body.js';
import { translate } from '../translate.js';
import { detected } from '../translation/detection.js';
import { languageOf } from '../translation/language.js';
import { escapedHtml } from '../html-text.js';
import { answered, type AcceptedCall } from '../vendor-answer.js';
import { codePoints } from '../vendor-calls.js';
import { englishName, vendorLanguages } from '../vendor-languages.js';
import { GOOGLE, refuse, refusePair } from './google-error.js';

const MAX_TEXTS = 128;
const MAX_BYTES = 100 * 1024;

/** Code points of one request. */
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
      work: () => translation(request),
    }),
  );
  scope.post(`${path}/detect`, (request, reply) =>
    serveCall(reply, {
      ...services,
      wire: GOOGLE,
      call: 'detect',
      name: keyIn(request),
      work: () => detection(request),
    }),
  );
  scope.get(`${path}/languages`, (request, reply) =>
    serveCall(reply, {
      ...services,
      wire: GOOGLE,
      call: 'languages',
      name: keyIn(request),
      work: () => listing(request),
    }),
  );
}

const keyIn = (request: FastifyRequest): string =>
  headerOf(request, 'x-goog-api-key') || (queryOf(request).get('key') ?? '');

function accountIn(request: FastifyRequest): Account {
  const key = keyIn(request);
  if (key === '') throw refuse('noKey');
  const account = accountAt('google', key);
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
    asked: { call: 'translate', texts, source, target },
    answer: (corruptions) => {
      const done = translate({ vendor: 'google', texts, source, target }, corruptions);
      const translations = done.map(({ text, found }) => ({
        translatedText: format === 'html' ? escapedHtml(text) : text,
        detectedSourceLanguage: found ? GOOGLE_LANGUAGES.codeFor(found.tag) : undefined,
      }));
      return answered({ data: { translations } });
    },
  };
}

function detection(request: FastifyRequest): AcceptedCall {
  const account = accountIn(request);
  const texts = textsIn(bodyIn(request));
  return {
    account,
    asked: { call: 'detect', texts, source: null, target: null },
    answer: () => {
      const detections = texts.map((text) => {
        const { tag, sure } = detected(text);
        return [{ language: GOOGLE_LANGUAGES.codeFor(tag), confidence: sure, isReliable: false }];
      });
      return answered({ data: { detections } });
    },
  };
}

function listing(request: FastifyRequest): AcceptedCall {
  const account = accountIn(request);
  const target = queryOf(request).get('target');
  if (target !== null) languageIn(target);
  return {
    account,
    asked: { call: 'languages', texts: [], source: null, target },
    answer: () => {
      const languages = GOOGLE_LANGUAGES.codes.map((language) =>
        target === null ? { language } : { language, name: englishName(language, languageOf(target).tag) },
      );
      return answered({ data: { languages } });
    },
  };
}

/** `GET …/languages`, with the newer spellings that are taken too. */
export const GOOGLE_LANGUAGES = vendorLanguages(
  `zh-CN zh-TW en ja ko fr de es pt ru ar vi th id ms it tr hi ab ace ach af ak sq alz am hy as awa ay az ban bm bn ba eu btx
  bts bbc be bem bew bho bik bs br bg bua yue ca ceb cgg cv co crh hr cs da din dv doi dov nl dz eo et ee fj fil fi fr-CA ff
  gaa gl lg ka el gn gu ht cnh ha haw iw hil hmn hu hrx is ig ilo ga jw kn kk km rw ktu gom kri ku ckb ky lo ltg la lv lij li
  ln lt lmo luo lb mk mai mak mg ms-Arab ml mt mni-Mtei mi mr chm min lus mn my ne new nso no nus ny oc or om pam pag pap ps
  fa pl pt-PT pa pa-Arab qu rom ro rn sm sg sa gd sr crs shn sn scn szl sd si sk sl so nr st su sw ss sv tg ta tt te tet ti ts
  tn tk uk ur ug uz cy fy xh yi yo yua zu`,
  { zh: 'zh-CN', 'zh-Hans': 'zh-CN', 'zh-Hant': 'zh-TW', he: 'iw', jv: 'jw', tl: 'fil', 'pt-BR': 'pt', nb: 'no' },
);
