/** A family's own words (docs/decisions/0019). Main accounts change them; sub-accounts read and use them. Not in the specification. */
import { GLOSSARY_FILE_BYTES } from '@yiqiao/domain/limits';
import { canBeFound, isTermText, tidyTerm } from '@yiqiao/domain/glossary';
import { isSafeText } from '@yiqiao/domain/members';
import { z } from 'zod';
import { csvFile, endpoint } from './endpoint.js';
import { filter, id, orMissing, page, paging } from './fields.js';
import type { FieldCode } from './field-messages.js';
import { langCode } from './translation.js';

const textOf = (missing: FieldCode) =>
  z
    .string({ error: orMissing(missing) })
    .transform(tidyTerm)
    .refine((s) => s !== '', { error: missing, abort: true })
    .refine(isTermText, { error: 'TERM_TEXT' });

/** The schema of a term, typed or imported. White space is normalised. */
export const termFields = {
  /** A langCode or another name of it, never `auto`; another than `target`. */
  source: langCode,
  target: langCode,
  term: textOf('TERM_REQUIRED').refine(canBeFound, { error: 'TERM_WITHOUT_LETTERS' }),
  translation: textOf('TRANSLATION_REQUIRED'),
};

export const termRow = z.object({
  id: z.int(),
  source: z.string(),
  target: z.string(),
  term: z.string(),
  translation: z.string(),
  createDateTime: z.string(),
  updateDateTime: z.string(),
});

const filters = {
  source: filter(langCode),
  target: filter(langCode),
  /** Part of a term or of its translation: literal, case-insensitive. Empty: all. */
  keyword: filter(
    z
      .string({ error: 'WRONG_TYPE' })
      .max(200, { error: 'TOO_LONG' })
      .refine((s) => isSafeText(s), { error: 'UNSAFE_TEXT' }),
  ),
};

/** `count`: terms of the family in all, of GLOSSARY_TERMS_MAX. `version` grows with every change; 0: there never was a term. */
export const listTerms = endpoint({
  method: 'GET',
  path: '/glossary/page',
  access: 'member',
  request: z.strictObject({ ...paging, ...filters }),
  response: page(termRow).extend({ count: z.int(), version: z.int() }),
});

/** All terms of one pair of languages, to show where a text holds them (`findTerms` of domain/glossary). */
export const pairTerms = endpoint({
  method: 'GET',
  path: '/glossary/terms',
  access: 'member',
  request: z.strictObject({ source: langCode, target: langCode }),
  response: z.object({
    version: z.int(),
    terms: z.array(z.object({ term: z.string(), translation: z.string() })),
  }),
});

/** Without `id` adds a term, with it edits one. TERM_EXISTS when the pair has it already, GLOSSARY_FULL, NOT_FOUND. */
export const saveTerm = endpoint({
  method: 'POST',
  path: '/glossary/save',
  access: 'main',
  request: z.strictObject({ id: id.nullish().transform((n) => n ?? undefined), ...termFields }),
  response: termRow,
});

/** So many terms may be deleted at once. */
export const TERMS_AT_ONCE = 100;

/** All or none: an id that is not the family's is NOT_FOUND. */
export const deleteTerms = endpoint({
  method: 'POST',
  path: '/glossary/delete',
  access: 'main',
  request: z.strictObject({
    ids: z
      .array(id, { error: orMissing('REQUIRED') })
      .min(1, { error: 'REQUIRED' })
      .max(TERMS_AT_ONCE, { error: 'TOO_LONG' }),
  }),
  response: z.object({ count: z.int() }),
});

/** The result of the same filters as a file for `importTerms`: UTF-8 with BOM, newest first. */
export const exportTerms = endpoint({
  method: 'GET',
  path: '/glossary/export',
  access: 'member',
  request: z.strictObject(filters),
  response: csvFile,
  file: 'csv',
});

/**
 * A CSV file in UTF-8 with a heading line (source, target, term, translation, in English or Chinese, in any order; other columns are
 * ignored), separated by commas, semicolons or tabs. `mode` merge (default): new terms are added and existing ones get the file's
 * translation; replace: the file replaces the glossary. All or nothing: GLOSSARY_FILE_INVALID lists the invalid lines in `errors`, with
 * `path` `<line>` or `<line>.<column>` counted from 1 including the headings (at most 100 of them; `data.lines` is their number).
 * GLOSSARY_FULL.
 */
export const importTerms = endpoint({
  method: 'POST',
  path: '/glossary/import',
  access: 'main',
  upload: { maxBytes: GLOSSARY_FILE_BYTES },
  request: z.strictObject({ mode: z.enum(['merge', 'replace'], { error: 'WRONG_VALUE' }).default('merge') }),
  response: z.object({
    added: z.int(),
    changed: z.int(),
    unchanged: z.int(),
    removed: z.int(),
    version: z.int(),
  }),
});
