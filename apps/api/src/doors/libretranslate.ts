/** LibreTranslate's API: https://libretranslate.com/docs. */
import { DOOR_PATHS } from '@yiqiao/contracts/envelope';
import { TEXT_MAX_CODE_POINTS } from '@yiqiao/domain/limits';
import { detectLanguage, languageOf, ListTranslatedLanguages, servicesLanguages } from '../translation/translation.js';
import type { Door, DoorAnswer, DoorCall, OpenCall } from './door.js';
import { namedSource } from './door-texts.js';
import { Failure, type FailureKind } from './failure.js';
import type { Fields } from './fields.js';
import { authorizationKey } from './keys.js';

const BODY_BYTES = 128 * 1024;
const TEXTS_MAX = 1_000;
/** Of a detection, in percent. */
const CONFIDENCE = { sure: 100, guess: 50, onTheWay: 90 };

const { libretranslate: codes } = servicesLanguages;

/** LibreTranslate's codes where they are others than ours. */
const OWN: ReadonlyMap<string, string> = new Map([
  ['no', 'nb'],
  ['fil', 'tl'],
]);
const libreCode = (langCode: string): string => OWN.get(langCode) ?? langCode;

export const libretranslate: Door = {
  prefix: DOOR_PATHS.libretranslate,
  bodyBytes: BODY_BYTES,
  multipart: true,
  routes: [
    { method: 'POST', path: '/translate', scope: 'text', handle: translate },
    { method: 'POST', path: '/detect', scope: 'text', handle: detect },
    // Its clients send no key with these.
    { method: 'GET', path: '/languages', scope: null, handle: listLanguages },
    { method: 'GET', path: '/frontend/settings', scope: null, handle: settings },
    { method: 'GET', path: '/health', scope: null, handle: () => Promise.resolve({ body: { status: 'ok' } }) },
  ],
  keyOf: (request) => authorizationKey(request, 'Bearer'),
  keyFields: ['api_key', 'apiKey'],
  failed,
};

const refused = (message: string): Failure => new Failure('input', { message });

function needed<T>(value: T | undefined | null, name: string): T {
  if (value === undefined || value === null) throw refused(`Invalid request: missing ${name} parameter`);
  return value;
}

function languageIn(fields: Fields, name: string): string {
  const code = needed(fields.text(name), name);
  const langCode = codes.langCodeOf(code);
  if (langCode === null) throw refused(`${code} is not supported`);
  return langCode;
}

async function translate({ fields, caller, client, services }: DoorCall): Promise<DoorAnswer> {
  const texts = needed(fields.texts('q'), 'q');
  const isList = Array.isArray(fields.get('q'));
  if (texts.length === 0 || (!isList && texts[0] === '')) throw refused('Invalid request: missing q parameter');
  if (texts.length > TEXTS_MAX)
    throw refused(`Invalid request: request (${texts.length}) exceeds text limit (${TEXTS_MAX})`);
  const source = needed(fields.text('source'), 'source') === 'auto' ? null : languageIn(fields, 'source');
  const target = languageIn(fields, 'target');
  const format = fields.text('format') ?? 'text';
  if (format !== 'text' && format !== 'html') throw refused(`${format} format is not supported`);
  const done = await services.texts.translate({ texts, source, target, format }, { caller, client });
  const detected = async (): Promise<object[]> =>
    Promise.all(
      done.map(async (each, at) => ({
        confidence: CONFIDENCE.onTheWay,
        language: libreCode(await namedSource({ ...each, text: texts[at] ?? '' })),
      })),
    );
  const asAsked = <T>(all: readonly T[]): unknown => (isList ? all : all[0]);
  const body = {
    translatedText: asAsked(done.map(({ text }) => text)),
    ...(source === null && { detectedLanguage: asAsked(await detected()) }),
    // There is one translation of each text.
    ...(Number(fields.text('alternatives') ?? 0) > 0 && { alternatives: asAsked(done.map(() => [])) }),
  };
  return { body };
}

async function detect({ fields }: DoorCall): Promise<DoorAnswer> {
  const texts = needed(fields.texts('q'), 'q').filter((text) => text !== '');
  if (texts.length === 0) throw refused('Invalid request: missing q parameter');
  const { langCode, sure } = await detectLanguage(texts.join('\n'));
  // LibreTranslate's own answer where it detects nothing.
  if (langCode === null) return { body: [{ confidence: 0, language: 'en' }] };
  return { body: [{ confidence: sure ? CONFIDENCE.sure : CONFIDENCE.guess, language: libreCode(langCode) }] };
}

/** How long the list is kept: anybody may ask for it, and it is long. */
const KEPT_MS = 5_000;
let kept: { readonly text: Promise<string>; readonly until: number } | undefined;

/** What any channel in service translates: there is no key that would say whose. */
async function listLanguages({ services }: OpenCall): Promise<DoorAnswer> {
  if (!kept || kept.until < Date.now()) {
    const text = services.queries.execute(new ListTranslatedLanguages()).then(listed);
    kept = { text, until: Date.now() + KEPT_MS };
    text.catch(() => (kept = undefined));
  }
  return { body: await kept.text, type: 'application/json; charset=utf-8' };
}

function listed(all: ReadonlyMap<string, ReadonlySet<string>>): string {
  const rows = [...all].map(([langCode, targets]) => ({
    code: libreCode(langCode),
    name: languageOf(langCode)?.englishName ?? langCode,
    targets: [...targets].map(libreCode).sort(),
  }));
  return JSON.stringify(rows.sort((a, b) => (a.name < b.name ? -1 : 1)));
}

function settings(): Promise<DoorAnswer> {
  const language = { source: { code: 'auto', name: 'Auto Detect' }, target: { code: 'en', name: 'English' } };
  return Promise.resolve({
    body: {
      charLimit: TEXT_MAX_CODE_POINTS,
      frontendTimeout: 500,
      apiKeys: true,
      keyRequired: true,
      suggestions: false,
      filesTranslation: false,
      supportedFilesFormat: [],
      language,
    },
  });
}

const ANSWERS: Readonly<Record<FailureKind, readonly [status: number, message: string]>> = {
  unsaid: [400, 'Please contact the server operator to get an API key'],
  key: [403, 'Invalid API key'],
  forbidden: [403, 'This API key is not allowed to do this'],
  quota: [403, 'Quota exceeded'],
  rate: [429, 'Slowdown: too many requests'],
  tooLong: [400, `Invalid request: request exceeds text limit (${TEXT_MAX_CODE_POINTS})`],
  tooLarge: [413, 'The request is too large'],
  language: [400, 'This language pair is not supported'],
  input: [400, 'Invalid JSON format'],
  missing: [404, 'Not found'],
  method: [405, 'Method not allowed'],
  mediaType: [415, 'Unsupported media type'],
  busy: [503, 'The service is busy, please try again later'],
  ours: [500, 'Cannot translate text'],
};

function failed({ kind, details: { message, detail } }: Failure): DoorAnswer {
  const [status, usual] = ANSWERS[kind];
  const says = kind === 'forbidden' || kind === 'quota' ? detail : undefined;
  return { status, body: { error: message ?? says ?? usual } };
}
