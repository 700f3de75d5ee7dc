/** DeepLX's API: https://github.com/OwO-Network/DeepLX. Extensions call it, often with a token in the address. */
import { DOOR_PATHS } from '@yiqiao/contracts/envelope';
import { servicesLanguages } from '../translation/translation.js';
import { deeplCode } from './deepl/languages.js';
import type { Door, DoorAnswer, DoorCall } from './door.js';
import { namedSource } from './door-texts.js';
import { Failure, type FailureKind } from './failure.js';
import type { Fields } from './fields.js';
import { addressToken, authorizationKey, queryValue } from './keys.js';

const BODY_BYTES = 128 * 1024;

const { deepl: codes } = servicesLanguages;

export const deeplx: Door = {
  prefix: DOOR_PATHS.deeplx,
  bodyBytes: BODY_BYTES,
  routes: [
    { method: 'POST', path: '/translate', scope: 'text', handle: translate },
    { method: 'POST', path: '/:token/translate', scope: 'text', handle: translate },
  ],
  keyOf: (request) =>
    authorizationKey(request, 'Bearer', 'DeepL-Auth-Key') ??
    addressToken((request.params as { token?: string }).token) ??
    addressToken(queryValue(request, 'token')),
  keyFields: [],
  failed,
};

function languageIn(fields: Fields, name: string): string | null {
  const code = fields.text(name);
  if (code === undefined || code.toLowerCase() === 'auto') return null;
  const langCode = codes.langCodeOf(code);
  if (langCode === null) throw new Failure('input', { message: `unsupported ${name} "${code}"` });
  return langCode;
}

/** When the last answer was given, in milliseconds: an id is a time, and no two are the same. */
let lastId = 0;
const nextId = (): number => (lastId = Math.max(Date.now(), lastId + 1));

async function translate({ fields, caller, client, services }: DoorCall): Promise<DoorAnswer> {
  const texts = fields.texts('text');
  const [text] = texts ?? [];
  if (texts === null || texts.length !== 1 || text === undefined)
    throw new Failure('input', { message: 'Invalid request payload' });
  if (text === '') throw new Failure('missing', { message: 'No text to translate' });
  const tags = fields.text('tag_handling');
  if (tags !== undefined && tags !== 'html' && tags !== 'xml')
    throw new Failure('input', { message: "Invalid tag_handling value. Allowed values are 'html' and 'xml'." });
  const source = languageIn(fields, 'source_lang');
  const target = languageIn(fields, 'target_lang');
  if (target === null) throw new Failure('input', { message: 'target_lang is required' });
  const asked = { texts: [text], source, target, format: tags ?? 'text' } as const;
  const [done] = await services.texts.translate(asked, { caller, client });
  if (!done) throw new Error('a text was left without an outcome');
  const body = {
    code: 200,
    id: nextId(),
    data: done.text,
    alternatives: [],
    source_lang: deeplCode(await namedSource({ ...done, text }), 'source'),
    target_lang: deeplCode(target, 'target'),
    method: 'Pro',
  };
  return { body };
}

const ANSWERS: Readonly<Record<FailureKind, readonly [code: number, message: string]>> = {
  unsaid: [401, 'Invalid access token'],
  key: [401, 'Invalid access token'],
  forbidden: [403, 'Forbidden'],
  quota: [456, 'Quota Exceeded'],
  rate: [429, 'Too many requests'],
  tooLong: [413, 'Request Entity Too Large'],
  tooLarge: [413, 'Request Entity Too Large'],
  language: [400, 'unsupported language pair'],
  input: [400, 'Invalid request payload'],
  missing: [404, 'Path not found'],
  method: [405, 'Method Not Allowed'],
  mediaType: [415, 'Unsupported Media Type'],
  busy: [503, 'Translation failed'],
  ours: [500, 'Translation failed'],
};

function failed({ kind, details }: Failure): DoorAnswer {
  const [code, usual] = ANSWERS[kind];
  const says = kind === 'key' || kind === 'forbidden' || kind === 'quota' ? details.detail : undefined;
  return {
    status: code,
    body: { code, message: details.message ?? (says === undefined ? usual : `${usual}: ${says}`) },
  };
}
