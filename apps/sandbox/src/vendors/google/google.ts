import type { FastifyInstance, FastifyRequest } from 'fastify';

import { accountAt, type Account } from '../account.js';
import { exchange, type VendorWorld } from '../exchange.js';
import { bytesOf, headerOf, isObject, isTexts, jsonIn, queryOf, type Json } from '../request-body.js';
import { translate } from '../translate.js';
import { detected } from '../translation/detection.js';
import { languageOf } from '../translation/language.js';
import { escapedHtml } from '../html-text.js';
import { answered, type Deed } from '../vendor-answer.js';
import { codePoints } from '../vendor-calls.js';
import { englishName } from '../vendor-languages.js';
import { GOOGLE, refuse, refusePair } from './google-error.js';
import { GOOGLE_LANGUAGES } from './google-languages.js';

const MOST_TEXTS = 128;
const MOST_BYTES = 100 * 1024;

/** Code points of one request. */
const MOST_CHARS = 30_000;

/** Google Cloud Translation, Basic (v2), with an API key. */
export function googleRoutes(scope: FastifyInstance, world: VendorWorld): void {
  const path = '/vendors/google/language/translate/v2';
  scope.post(path, (request, reply) =>
    exchange(reply, {
      ...world,
      wire: GOOGLE,
      call: 'translate',
      name: keyIn(request),
      work: () => translation(request),
    }),
  );
  scope.post(`${path}/detect`, (request, reply) =>
    exchange(reply, { ...world, wire: GOOGLE, call: 'detect', name: keyIn(request), work: () => detection(request) }),
  );
  scope.get(`${path}/languages`, (request, reply) =>
    exchange(reply, { ...world, wire: GOOGLE, call: 'languages', name: keyIn(request), work: () => listing(request) }),
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
  if (bytes.length > MOST_BYTES) throw refuse('tooLarge');
  const body = jsonIn(bytes);
  if (!isObject(body)) throw refuse('notJson');
  return body;
}

function textsIn({ q }: Json): readonly string[] {
  const texts = typeof q === 'string' ? [q] : q;
  if (!isTexts(texts) || texts.length === 0) throw refuse('noText');
  if (texts.length > MOST_TEXTS) throw refuse('tooMany');
  if (texts.reduce((sum, text) => sum + codePoints(text), 0) > MOST_CHARS) throw refuse('tooLong');
  return texts;
}

function languageIn(value: unknown): string {
  const code = typeof value === 'string' ? GOOGLE_LANGUAGES.find(value) : null;
  if (code === null) throw refuse('invalid');
  return code;
}

function translation(request: FastifyRequest): Deed {
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
    answer: (spoils) => {
      const done = translate({ vendor: 'google', texts, source, target }, spoils);
      const translations = done.map(({ text, found }) => ({
        translatedText: format === 'html' ? escapedHtml(text) : text,
        detectedSourceLanguage: found ? GOOGLE_LANGUAGES.codeFor(found.tag) : undefined,
      }));
      return answered({ data: { translations } });
    },
  };
}

function detection(request: FastifyRequest): Deed {
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

function listing(request: FastifyRequest): Deed {
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
