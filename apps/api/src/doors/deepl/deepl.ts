/** DeepL's API, v2: https://developers.deepl.com/api-reference. */
import { DOOR_PATHS } from '@yiqiao/contracts/envelope';
import { authorizationKey } from '../keys.js';
import type { Door, DoorAnswer, DoorCall } from '../door.js';
import { Failure, type FailureKind } from '../failure.js';
import { createGlossary, deleteGlossary, getEntries, getGlossary, listGlossaries, listPairs } from './glossaries.js';
import { listLanguages } from './languages.js';
import { translate } from './translate.js';
import { usage } from './usage.js';

/** DeepL's own limits. */
const BODY_BYTES = 128 * 1024;
/** Entries of a glossary: as many bytes as a file for the console's import. */
const GLOSSARY_BYTES = 2 * 1024 * 1024;

const read = (path: string, scope: 'text' | 'usage', handle: (call: DoorCall) => Promise<DoorAnswer>) =>
  (['GET', 'POST'] as const).map((method) => ({ method, path, scope, handle }));

export const deepl: Door = {
  prefix: DOOR_PATHS.deepl,
  bodyBytes: BODY_BYTES,
  routes: [
    { method: 'POST', path: '/v2/translate', scope: 'text', handle: translate },
    ...read('/v2/languages', 'text', listLanguages),
    ...read('/v2/usage', 'usage', usage),
    { method: 'GET', path: '/v2/glossary-language-pairs', scope: 'glossary.read', handle: listPairs },
    { method: 'GET', path: '/v2/glossaries', scope: 'glossary.read', handle: listGlossaries },
    {
      method: 'POST',
      path: '/v2/glossaries',
      scope: 'glossary.write',
      bodyBytes: GLOSSARY_BYTES,
      handle: createGlossary,
    },
    { method: 'GET', path: '/v2/glossaries/:id', scope: 'glossary.read', handle: getGlossary },
    { method: 'DELETE', path: '/v2/glossaries/:id', scope: 'glossary.write', handle: deleteGlossary },
    { method: 'GET', path: '/v2/glossaries/:id/entries', scope: 'glossary.read', handle: getEntries },
  ],
  keyOf: (request) => authorizationKey(request, 'DeepL-Auth-Key', 'Bearer'),
  // Before headers, keys were sent so.
  keyFields: ['auth_key'],
  failed,
};

const ANSWERS: Readonly<Record<FailureKind, readonly [status: number, message: string]>> = {
  unsaid: [403, 'Authorization failure: send the header "Authorization: DeepL-Auth-Key [yourAuthKey]".'],
  key: [403, 'Authorization failure'],
  forbidden: [403, 'Authorization failure'],
  quota: [456, 'Quota Exceeded'],
  rate: [429, 'Too many requests'],
  tooLong: [413, 'Request Entity Too Large'],
  tooLarge: [413, 'Request Entity Too Large'],
  language: [400, "Value for 'target_lang' not supported."],
  input: [400, 'Bad request'],
  missing: [404, 'Not found'],
  method: [405, 'Method Not Allowed'],
  mediaType: [415, 'Unsupported Media Type'],
  busy: [503, 'Resource currently unavailable'],
  ours: [500, 'Internal error'],
};

function failed({ kind, details: { message, detail } }: Failure): DoorAnswer {
  const [status, usual] = ANSWERS[kind];
  return { status, body: { message: message ?? usual, ...(detail !== undefined && { detail }) } };
}
