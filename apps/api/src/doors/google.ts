/** Google Cloud Translation's API, v2 (Basic): https://cloud.google.com/translate/docs/reference/rest/v2/translate. */
import { DOOR_PATHS } from '@yiqiao/contracts/envelope';
import {
  canonicalLanguage,
  detectLanguage,
  languageOf,
  ListCallerLanguages,
  servicesLanguages,
} from '../translation/translation.js';
import type { Door, DoorAnswer, DoorCall } from './door.js';
import { namedSource } from './door-texts.js';
import { Failure, type FailureKind } from './failure.js';
import type { Fields } from './fields.js';
import { authorizationKey, queryValue } from './keys.js';

/** Google's own limits. */
const BODY_BYTES = 204_800;
const TEXTS_MAX = 128;

const { google: codes } = servicesLanguages;

const googleCode = (langCode: string): string => codes.own(langCode) ?? langCode;

const PATH = '/language/translate/v2';

const both = (path: string, handle: (call: DoorCall) => Promise<DoorAnswer>) =>
  (['GET', 'POST'] as const).map((method) => ({
    method,
    path: `${PATH}${path}`,
    scope: 'text' as const,
    handle,
    ...(path === '' && { costs: true as const }),
  }));

export const google: Door = {
  prefix: DOOR_PATHS.google,
  bodyBytes: BODY_BYTES,
  readsQuery: true,
  routes: [...both('', translate), ...both('/detect', detect), ...both('/languages', listLanguages)],
  // The official clients know no other place for a key than the query.
  keyOf: (request) => {
    const header = request.headers['x-goog-api-key'];
    return (
      (typeof header === 'string' && header !== '' ? header : null) ??
      authorizationKey(request, 'Bearer') ??
      queryValue(request, 'key') ??
      null
    );
  },
  keyFields: ['key'],
  failed,
};

const invalid = (message: string, reason = 'invalid'): Failure => new GoogleFailure(message, reason);

/** A refusal of input with Google's word for the reason. */
class GoogleFailure extends Failure {
  constructor(
    message: string,
    readonly reason: string,
  ) {
    super('input', { message });
  }
}

function textsIn(fields: Fields): readonly string[] {
  const texts = fields.texts('q');
  if (texts === null || texts.length === 0) throw invalid('Required Text', 'required');
  if (texts.length > TEXTS_MAX) throw invalid('Too many text segments');
  return texts;
}

function languageIn(fields: Fields, name: string): string | null {
  const code = fields.text(name);
  if (code === undefined) return null;
  const langCode = codes.langCodeOf(code);
  if (langCode === null) throw invalid('Invalid Value');
  return langCode;
}

async function translate({ fields, caller, client, services }: DoorCall): Promise<DoorAnswer> {
  const texts = textsIn(fields);
  const target = languageIn(fields, 'target');
  if (target === null) throw invalid('Missing required field: target', 'required');
  const source = languageIn(fields, 'source');
  const format = fields.text('format') ?? 'html';
  if (format !== 'html' && format !== 'text') throw invalid('Invalid Value');
  const done = await services.texts.translate({ texts, source, target, format }, { caller, client });
  const model = fields.text('model');
  const translations = await Promise.all(
    done.map(async (each, at) => ({
      translatedText: each.text,
      ...(source === null && {
        detectedSourceLanguage: googleCode(await namedSource({ ...each, text: texts[at] ?? '' })),
      }),
      ...(model !== undefined && { model }),
    })),
  );
  return { body: { data: { translations } } };
}

/** Where the language of a text is not known. */
const UNDETERMINED = 'und';

async function detect({ fields }: DoorCall): Promise<DoorAnswer> {
  const detections = await Promise.all(
    textsIn(fields).map(async (text) => {
      const { langCode, sure } = await detectLanguage(text);
      const language = langCode === null ? UNDETERMINED : googleCode(langCode);
      return [{ language, confidence: langCode === null ? 0 : sure ? 1 : 0.5, isReliable: false }];
    }),
  );
  return { body: { data: { detections } } };
}

/** `target`: the language of the names, which are there with it alone. Chinese or English: there are no others. */
async function listLanguages({ fields, caller, services }: DoorCall): Promise<DoorAnswer> {
  const asked = fields.text('target');
  const shown = asked === undefined ? null : canonicalLanguage(asked);
  if (asked !== undefined && shown === null) throw invalid('Invalid Value');
  const inChinese = shown?.startsWith('zh') === true;
  const { sources, targets } = await services.queries.execute(new ListCallerLanguages(caller, caller.apiKey.channelId));
  const languages = [...new Set([...sources, ...targets])].map((langCode) => {
    const row = languageOf(langCode);
    const name = (inChinese ? row?.chineseName : row?.englishName) ?? langCode;
    return { language: googleCode(langCode), ...(asked !== undefined && { name }) };
  });
  return { body: { data: { languages: languages.sort((a, b) => (a.language < b.language ? -1 : 1)) } } };
}

type Said = {
  readonly code: number;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly domain?: string;
  readonly details?: string;
};

const ANSWERS: Readonly<Record<FailureKind, Said>> = {
  unsaid: {
    code: 403,
    status: 'PERMISSION_DENIED',
    reason: 'forbidden',
    message:
      "Method doesn't allow unregistered callers (callers without established identity). Please use API Key or other form of API consumer identity to call this API.",
  },
  key: {
    code: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'badRequest',
    message: 'API key not valid. Please pass a valid API key.',
    details: 'API_KEY_INVALID',
  },
  forbidden: {
    code: 403,
    status: 'PERMISSION_DENIED',
    reason: 'forbidden',
    message: 'Requests to this API are blocked for this API key.',
    details: 'API_KEY_SERVICE_BLOCKED',
  },
  quota: {
    code: 403,
    status: 'PERMISSION_DENIED',
    reason: 'dailyLimitExceeded',
    message: 'Daily Limit Exceeded',
    domain: 'usageLimits',
  },
  rate: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    reason: 'rateLimitExceeded',
    message: 'Rate Limit Exceeded',
    domain: 'usageLimits',
  },
  tooLong: { code: 400, status: 'INVALID_ARGUMENT', reason: 'badRequest', message: 'Text too long' },
  tooLarge: {
    code: 400,
    status: 'INVALID_ARGUMENT',
    reason: 'badRequest',
    message: `Request payload size exceeds the limit: ${BODY_BYTES} bytes.`,
  },
  language: { code: 400, status: 'INVALID_ARGUMENT', reason: 'badRequest', message: 'Bad language pair' },
  input: { code: 400, status: 'INVALID_ARGUMENT', reason: 'badRequest', message: 'Invalid JSON payload received.' },
  missing: { code: 404, status: 'NOT_FOUND', reason: 'notFound', message: 'Method not found.' },
  method: { code: 405, status: 'INVALID_ARGUMENT', reason: 'httpMethodNotAllowed', message: 'Method Not Allowed' },
  mediaType: { code: 415, status: 'INVALID_ARGUMENT', reason: 'badRequest', message: 'Unsupported content type' },
  busy: { code: 503, status: 'UNAVAILABLE', reason: 'backendError', message: 'The service is currently unavailable.' },
  ours: { code: 500, status: 'INTERNAL', reason: 'backendError', message: 'Internal error encountered.' },
};

function failed(failure: Failure): DoorAnswer {
  const { kind } = failure;
  const { code, status, message: usual, domain = 'global', details, ...said } = ANSWERS[kind];
  const message = failure.details.message ?? usual;
  const reason = failure instanceof GoogleFailure ? failure.reason : said.reason;
  const error = {
    code,
    message,
    errors: [{ message, domain, reason }],
    status,
    ...(details !== undefined && {
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: details, domain: 'googleapis.com' }],
    }),
  };
  return { status: code, body: { error } };
}
