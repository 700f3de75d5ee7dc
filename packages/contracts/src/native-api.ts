/**
 * The API of the members' own software (docs/decisions/0071): below /v1, with `Authorization: Bearer yq_…`, in the envelope of every other
 * call. `GET /openapi.json` describes it, made from this file. Not in the specification.
 */
import { TEXT_FORMATS } from '@yiqiao/domain/text-formats';
import { z } from 'zod';
import { endpoint, type Endpoint } from './endpoint.js';
import { NATIVE_PATH } from './envelope.js';
import { id } from './fields.js';
import { deleteTerms, listTerms, saveTerm } from './glossary.js';
import { formality, langCode, listLanguages, manyTexts, textOrTexts } from './translation.js';

const native = <Req extends z.ZodType, Res extends z.ZodType>(
  e: Omit<Endpoint<Req, Res>, 'access' | 'base'>,
): Endpoint<Req, Res> => endpoint<Req, Res>({ ...e, base: NATIVE_PATH, access: 'key' });

/**
 * Translates a text, or up to 50 (5,000 code points together) under one hold; each is refused and charged by itself. An equal request of the
 * same key within a minute gets the first answer for nothing. `channelId`: the key's own, where it has one.
 */
export const translate = native({
  method: 'POST',
  path: '/translate',
  scope: 'text',
  request: z.strictObject({
    text: textOrTexts,
    target: langCode,
    source: langCode.default('auto'),
    channelId: id.optional(),
    /** Of HTML and XML only the text is translated and charged; tags come back as they are. */
    format: z.enum(TEXT_FORMATS, { error: 'WRONG_VALUE' }).optional(),
    /** `more` and `less` are refused where the channel or the target has no choice; `prefer_…` is ignored there. */
    formality: formality.optional(),
  }),
  response: manyTexts,
});

/** The languages, with the channels of each. `sourceList` begins with `auto`. */
export const languages = native({ ...listLanguages, method: 'GET', path: '/languages', scope: 'text' });

/** What is left of the account's characters, and what the key has used of its caps (0: no cap). */
export const readUsage = native({
  method: 'GET',
  path: '/usage',
  scope: 'usage',
  request: z.strictObject({}),
  response: z.object({
    balance: z.object({
      charNum: z.int(),
      expireDateTime: z.string().nullable(),
      translationBillingMode: z.enum(['char', 'time']),
    }),
    key: z.object({
      name: z.string(),
      dayCap: z.int(),
      monthCap: z.int(),
      usedToday: z.int(),
      usedThisMonth: z.int(),
      expireDateTime: z.string().nullable(),
    }),
  }),
});

export const readGlossary = native({ ...listTerms, method: 'GET', path: '/glossary', scope: 'glossary.read' });

/** Without `id` adds a term, with it edits one. */
export const writeGlossary = native({ ...saveTerm, method: 'POST', path: '/glossary', scope: 'glossary.write' });

export const deleteFromGlossary = native({
  ...deleteTerms,
  method: 'DELETE',
  path: '/glossary',
  scope: 'glossary.write',
});
