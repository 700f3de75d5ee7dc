/** The custom service of Immersive Translate: https://immersivetranslate.com/docs/services/custom. The extension sends no headers of ours. */
import { DOOR_PATHS } from '@yiqiao/contracts/envelope';
import { servicesLanguages } from '../translation/translation.js';
import type { Door, DoorAnswer, DoorCall } from './door.js';
import { namedSource } from './door-texts.js';
import { Failure, type FailureKind } from './failure.js';
import type { Fields } from './fields.js';
import { addressToken, authorizationKey } from './keys.js';

const BODY_BYTES = 128 * 1024;
const TEXTS_MAX = 1_000;

const { google: codes } = servicesLanguages;

export const immersive: Door = {
  prefix: DOOR_PATHS.immersive,
  bodyBytes: BODY_BYTES,
  routes: [
    { method: 'POST', path: '', scope: 'text', handle: translate },
    { method: 'POST', path: '/:token', scope: 'text', handle: translate },
  ],
  keyOf: (request) => authorizationKey(request, 'Bearer') ?? addressToken((request.params as { token?: string }).token),
  keyFields: [],
  failed,
};

/** Its codes are langCodes but for Chinese. */
const CHINESE: ReadonlyMap<string, string> = new Map([
  ['zh-Hans', 'zh-CN'],
  ['zh-Hant', 'zh-TW'],
]);

function languageIn(fields: Fields, name: string): string | null {
  const code = fields.text(name);
  if (code === undefined || code === 'auto') return null;
  const langCode = codes.langCodeOf(code);
  if (langCode === null) throw new Failure('language', { message: `Unsupported ${name}: ${code}` });
  return langCode;
}

async function translate({ fields, caller, client, services }: DoorCall): Promise<DoorAnswer> {
  const texts = fields.texts('text_list');
  if (texts === null) throw new Failure('input', { message: 'text_list is missing' });
  if (texts.length > TEXTS_MAX)
    throw new Failure('tooLarge', { message: `text_list has more than ${TEXTS_MAX} texts` });
  const source = languageIn(fields, 'source_lang');
  const target = languageIn(fields, 'target_lang');
  if (target === null) throw new Failure('input', { message: 'target_lang is missing' });
  const done = await services.texts.translate({ texts, source, target }, { caller, client });
  const translations = await Promise.all(
    done.map(async (each, at) => {
      const langCode = await namedSource({ ...each, text: texts[at] ?? '' });
      return { detected_source_lang: CHINESE.get(langCode) ?? langCode, text: each.text };
    }),
  );
  return { body: { translations } };
}

const ANSWERS: Readonly<Record<FailureKind, readonly [status: number, message: string]>> = {
  unsaid: [401, 'The address needs a token'],
  key: [401, 'Invalid token'],
  forbidden: [403, 'Forbidden'],
  quota: [402, 'Quota exceeded'],
  rate: [429, 'Too many requests'],
  tooLong: [413, 'A text is too long'],
  tooLarge: [413, 'Too much text in one request'],
  language: [400, 'Unsupported language pair'],
  input: [400, 'Invalid request'],
  missing: [404, 'Not found'],
  method: [405, 'Method not allowed'],
  mediaType: [415, 'Unsupported media type'],
  busy: [503, 'The service is busy'],
  ours: [500, 'Internal error'],
};

/** The extension documents no errors: it shows the status, and the body to whoever looks. */
function failed({ kind, details: { message, detail } }: Failure): DoorAnswer {
  const [status, usual] = ANSWERS[kind];
  return { status, body: { error: message ?? detail ?? usual } };
}
