import { TEXT_MAX_CODE_POINTS, TEXTS_AT_ONCE, TRY_TEXT_MAX } from '@yiqiao/domain/limits';
import { codePoints } from '@yiqiao/domain/members';
import { FORMALITIES } from '@yiqiao/domain/formality';
import { TEXT_FORMATS } from '@yiqiao/domain/text-formats';
import { z } from 'zod';
import { usedKey } from './api-key-scopes.js';
import { csvFile, endpoint, nothing } from './endpoint.js';
import { clientType, dateTime, filter, id, inOrder, orAbsent, logPage, paging, queryIp } from './fields.js';

/** A langCode of data/languages.json or another name of it. */
export const langCode = z.string({ error: orAbsent }).regex(/^[A-Za-z0-9_-]{2,35}$/, { error: 'LANGUAGE_UNKNOWN' });
// A lone surrogate cannot be written as UTF-8: it would reach the channel as another character than was sent.
const someText = z
  .string({ error: (issue) => (issue.input === undefined ? 'TEXT_REQUIRED' : 'WRONG_TYPE') })
  .refine((s) => s.length > 0, { error: 'TEXT_REQUIRED', abort: true })
  .refine((s) => s.isWellFormed(), { error: 'UNSAFE_TEXT', abort: true });
const text = someText.refine((s) => codePoints(s) <= TEXT_MAX_CODE_POINTS, { error: 'TEXT_MAX' });

const texts = z
  .array(text, { error: 'WRONG_TYPE' })
  .min(1, { error: 'TEXT_REQUIRED' })
  .refine((all) => codePoints(all.join('')) <= TEXT_MAX_CODE_POINTS, { error: 'TEXT_MAX' });
/** Applied by the channels that can (DeepL, ChatGPT), see `FORMALITIES`. */
export const formality = z.enum(FORMALITIES, { error: 'WRONG_VALUE' });

const tooManyTexts = z.array(z.unknown()).max(TEXTS_AT_ONCE, { error: 'TEXTS_MAX' });

/** Each form reports its own errors; a union would only report that neither matches. A list that is too long is not parsed. */
const formOf = (value: unknown): z.ZodType => {
  if (!Array.isArray(value)) return text;
  return value.length > TEXTS_AT_ONCE ? tooManyTexts : texts;
};
export const textOrTexts = z
  .custom<string | string[]>()
  .superRefine((value, context) => {
    for (const { path, message } of formOf(value).safeParse(value).error?.issues ?? [])
      context.addIssue({ code: 'custom', path, message });
  })
  // For the description of the API: the schema itself is code.
  .meta({
    anyOf: [
      { type: 'string', minLength: 1, maxLength: TEXT_MAX_CODE_POINTS },
      { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: TEXTS_AT_ONCE },
    ],
  });

/** Only where the answer was not translated now but remembered: it costs nothing (docs/decisions/0020). */
const fromCache = { cached: z.literal(true).optional() };

const oneText = z.object({
  translated: z.string(),
  source: z.string(),
  target: z.string(),
  /** The channel that served it; after a failover not the requested one. */
  channelId: z.int(),
  /** Characters of the member's own channel: never more than was quoted (decisions §4). */
  charged: z.int(),
  quality: z.enum(['translation', 'gloss']),
  warning: z.string().nullable(),
  ...fromCache,
});

/**
 * In the order of the texts. A failed item has `translated` null, `charged` 0 and the reason; `msg` of a success is a single text's
 * `warning`, usually empty.
 */
export const manyTexts = z.object({
  items: z.array(
    z.object({
      success: z.boolean(),
      translated: z.string().nullable(),
      charged: z.int(),
      code: z.string().nullable(),
      msg: z.string().nullable(),
      /** The langCode given or detected, of a failed item too; null while it is unknown. */
      source: z.string().nullable(),
      ...fromCache,
    }),
  ),
  charged: z.int(),
});

/**
 * Translates one text, or up to 50 (5,000 code points together, markup included) under one hold. `channelId`: through that channel, for this request,
 * at ceil(code points × its price / the price of the member's own) (decisions §4). `failover` false: only through that channel, whatever the
 * member's setting. `fresh` true: bypasses the translation memory, and is charged.
 */
export const translateText = endpoint({
  method: 'POST',
  path: '/translation/text',
  access: 'member',
  request: z.strictObject({
    /** A langCode or another name of it (`zh-CN`, `iw`), or `auto`. */
    source: langCode,
    target: langCode,
    /** Neither trimmed nor normalised; its code points are charged. */
    text: textOrTexts,
    /** `text` by default; of markup only what is translated is charged, see `TEXT_FORMATS`. */
    format: z.enum(TEXT_FORMATS, { error: 'WRONG_VALUE' }).optional(),
    formality: formality.optional(),
    channelId: id.optional(),
    failover: z.boolean({ error: 'WRONG_TYPE' }).optional(),
    fresh: z.boolean({ error: 'WRONG_TYPE' }).optional(),
  }),
  response: z.union([oneText, manyTexts]),
});

/**
 * - `answered`: `translated` is the answer;
 * - `failed`: the channel gave none in time;
 * - `signIn`: members can use the channel, visitors only see its price;
 * - `unsupported`: the channel does not translate this pair;
 * - `unavailable`: nobody can use the channel now.
 */
const TRY_STATES = ['answered', 'failed', 'signIn', 'unsupported', 'unavailable'] as const;

/**
 * One sentence of a visitor, without an account, through the channels that the operator allows (docs/decisions/0051). Every channel of the price
 * list has a row, the allowed ones first. Stores nothing; limited per address and in all. Not in the specification.
 */
export const tryText = endpoint({
  method: 'POST',
  path: '/translation/try',
  access: 'public',
  request: z.strictObject({
    source: langCode,
    target: langCode,
    text: someText.refine((s) => codePoints(s) <= TRY_TEXT_MAX, { error: 'TOO_LONG' }),
  }),
  response: z.object({
    source: z.string(),
    target: z.string(),
    channels: z.array(
      z.object({
        channelId: z.int(),
        name: z.string(),
        enName: z.string(),
        state: z.enum(TRY_STATES),
        /** Null unless `answered`, as are `quality` and `warning`. */
        translated: z.string().nullable(),
        quality: z.enum(['translation', 'gloss']).nullable(),
        warning: z.string().nullable(),
        /** The cost of this sentence in characters of a new account; 0 for a gloss, null where the pair is not supported. */
        charNum: z.int().nullable(),
        /** The same in micro-yuan. */
        microYuan: z.int().nullable(),
      }),
    ),
  }),
});

const language = z.object({
  id: z.int(),
  langCode: z.string(),
  chineseName: z.string(),
  englishName: z.string(),
  channels: z.array(z.int()),
});

/** `sourceList` begins with `auto` (id 0). */
export const listLanguages = endpoint({
  method: 'GET',
  path: '/translationLanguages/list',
  access: 'public',
  request: nothing,
  response: z.object({ sourceList: z.array(language), targetList: z.array(language) }),
});

/** The channels, with the reason of each that is not available (decisions §9). */
export const listChannels = endpoint({
  method: 'GET',
  path: '/tranChannel/list',
  access: 'public',
  request: nothing,
  response: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      enName: z.string(),
      price: z.int(),
      available: z.boolean(),
      reason: z.string().nullable(),
      text: z.boolean(),
      voice: z.boolean(),
      image: z.boolean(),
    }),
  ),
});

/**
 * The directions of channels that cannot combine all of their languages, so that a screen can offer working ones first. An available channel
 * without a row supports all languages of translationLanguages/list on both sides. Not in the specification (docs/decisions/0007).
 */
export const listTranslationPairs = endpoint({
  method: 'GET',
  path: '/tranChannel/pairs',
  access: 'public',
  request: nothing,
  response: z.array(
    z.object({
      source: z.string(),
      target: z.string(),
      /** `varies`: some texts are translated, the others glossed for free. */
      quality: z.enum(['translation', 'gloss', 'varies']),
      channelId: z.int(),
    }),
  ),
});

/** The kind of a line of the translation log, with the unit of its `charged` (decisions §9). */
export const TRANSLATION_KINDS = {
  text: { zh: '文本', en: 'Text', unit: { zh: '字符', en: 'characters' } },
  voice: { zh: '语音', en: 'Voice', unit: { zh: '次', en: 'voice uses' } },
  image: { zh: '图片', en: 'Image', unit: { zh: '张', en: 'images' } },
} as const;

/** Why a translation cost nothing: it was remembered, it is a word gloss, or characters are included while the package lasts. */
export const FREE_REASONS = {
  memory: { zh: '翻译记忆', en: 'Translation memory' },
  gloss: { zh: '逐词释义', en: 'Word gloss' },
  time: { zh: '包月套餐内', en: 'Included in the monthly package' },
} as const;

type Kind = keyof typeof TRANSLATION_KINDS;
type Free = keyof typeof FREE_REASONS;

export const translationLogRow = z.object({
  id: z.int(),
  kind: z.enum(Object.keys(TRANSLATION_KINDS) as [Kind, ...Kind[]]),
  status: z.enum(['ok', 'failed']),
  /** In the unit of its kind. */
  charged: z.int(),
  /** Null when it was charged, or failed. */
  free: z.enum(Object.keys(FREE_REASONS) as [Free, ...Free[]]).nullable(),
  wordCount: z.int(),
  translationBillingMode: z.enum(['char', 'time']),
  tranChannelId: z.int(),
  ip: z.string(),
  clientType,
  sourceLangCode: z.string(),
  targetLangCode: z.string(),
  createDateTime: z.string(),
  /** The API key whose request it was. */
  apiKey: usedKey.nullable(),
});

const filters = {
  loginIp: filter(queryIp),
  clientType: filter(clientType),
  createDateTimeBegin: filter(dateTime),
  createDateTimeEnd: filter(dateTime),
};
const range = inOrder('createDateTimeBegin', 'createDateTimeEnd');

export const listTranslationLogs = endpoint({
  method: 'GET',
  path: '/translationLog/page',
  access: 'member',
  request: z.strictObject({ ...paging, ...filters }).superRefine(range),
  response: logPage(translationLogRow),
});

/** `charged` in the unit of the kind; `failed` of the `times` failed. */
const sums = z.object({
  tranChannelId: z.int(),
  kind: translationLogRow.shape.kind,
  times: z.int(),
  failed: z.int(),
  charged: z.int(),
});

/** The sums of the same filters; null for more than TOTALS_ROWS_MAX lines. Not in the specification (docs/decisions/0007). */
export const totalTranslationLogs = endpoint({
  method: 'GET',
  path: '/translationLog/totals',
  access: 'member',
  request: z.strictObject(filters).superRefine(range),
  response: z.object({ total: z.int(), channels: z.array(sums).nullable() }),
});

/** The result of the same filters as CSV: UTF-8 with BOM, newest first. */
export const exportTranslationLogs = endpoint({
  method: 'GET',
  path: '/translationLog/export',
  access: 'member',
  request: z.strictObject(filters).superRefine(range),
  response: csvFile,
  file: 'csv',
});
