import { termFields } from '@yiqiao/contracts/glossary';
import { GLOSSARY_TERMS_MAX } from '@yiqiao/domain/limits';
import { Refusal } from '@yiqiao/domain/errors';
import { termKey } from '@yiqiao/domain/glossary';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { refusalOf } from '../platform/input-pipe.js';
import { type Languages, readCodes } from './asked-pair.js';
import type { PairedTerm } from './term-rows.js';
import { type Field, FIELDS, placesOf, unmarked } from './terms-table.js';

/** So many of the lines that will not do are named. */
const ERRORS_MAX = 100;
/** The longest line that can be right, and room for columns that are passed over. */
const LINE_MAX = 20_000;

type LineError = { readonly path: string; readonly code: string };
type Line = { readonly number: number; readonly cells: readonly string[] };

/**
 * The terms of a file that a member made (contracts/glossary: importTerms). Throws GLOSSARY_FILE_INVALID with what is wrong with each line,
 * or GLOSSARY_FULL when it alone has more terms than a family may have.
 */
export function readTermsFile(file: Buffer, glossary: Languages): PairedTerm[] {
  const [headings, ...lines] = linesOf(textOf(file));
  const places = headings && placesOf(headings.cells);
  if (!places) throw invalid([{ path: '1', code: 'HEADINGS_EXPECTED' }]);
  if (lines.length === 0) throw invalid([{ path: '1', code: 'FILE_EMPTY' }]);
  if (lines.length > GLOSSARY_TERMS_MAX) throw new Refusal('GLOSSARY_FULL');
  const errors: LineError[] = [];
  const terms = new Map<string, PairedTerm>();
  for (const { number, cells } of lines) {
    const read = readLine(cells, places, glossary);
    const wrong = 'errors' in read ? read.errors : terms.has(keyOf(read)) ? [{ path: 'term', code: 'TERM_TWICE' }] : [];
    if ('errors' in read || wrong.length > 0)
      errors.push(...wrong.map(({ path, code }) => ({ path: path === '' ? `${number}` : `${number}.${path}`, code })));
    else terms.set(keyOf(read), read);
  }
  if (errors.length > 0) throw invalid(errors);
  return [...terms.values()];
}

export const keyOf = ({ source, target, term }: Omit<PairedTerm, 'translation'>): string =>
  JSON.stringify([source, target, termKey(term)]);

const invalid = (errors: readonly LineError[]): Refusal => {
  const lines = new Set(errors.map(({ path }) => path.split('.', 1)[0])).size;
  return new Refusal('GLOSSARY_FILE_INVALID', { data: { lines }, errors: errors.slice(0, ERRORS_MAX) });
};

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function textOf(file: Buffer): string {
  try {
    return UTF8.decode(file);
  } catch {
    throw invalid([{ path: '1', code: 'FILE_NOT_UTF8' }]);
  }
}

const SEPARATOR = /^sep=([,;\t])(?=[\r\n])/i;

/** As spreadsheets write them: whichever separator the headings have. Numbered as an editor numbers them; empty lines are left out. */
function linesOf(text: string): Line[] {
  // Some programs say first what separates the cells, in a line that is none of the table's; its place is kept for the numbers.
  const [, told] = SEPARATOR.exec(text) ?? [];
  const table = text.replace(SEPARATOR, '');
  const [first = ''] = table.replace(/^[\r\n]+/, '').split(/[\r\n]/, 1);
  const counted = [',', ';', '\t'].reduce((best, each) =>
    occurrences(first, each) > occurrences(first, best) ? each : best,
  );
  try {
    const found: unknown = parse(table, {
      delimiter: told ?? counted,
      info: true,
      relax_column_count: true,
      skip_records_with_empty_values: true,
      max_record_size: LINE_MAX,
      to: GLOSSARY_TERMS_MAX + 2,
    });
    return records.parse(found).map(({ record, info }) => ({ number: info.lines, cells: record }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw invalid([{ path: String('lines' in error ? error.lines : 1), code: 'LINE_BROKEN' }]);
  }
}

const records = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.int() }) }));

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

const fields = z.object(termFields);

function readLine(
  cells: readonly string[],
  places: Readonly<Record<Field, number>>,
  glossary: Languages,
): PairedTerm | { readonly errors: readonly LineError[] } {
  if (FIELDS.some((field) => cells[places[field]] === undefined))
    return { errors: [{ path: '', code: 'LINE_BROKEN' }] };
  const given = Object.fromEntries(FIELDS.map((field) => [field, unmarked(cells[places[field]] ?? '')]));
  const parsed = fields.safeParse({ ...given, source: given['source']?.trim(), target: given['target']?.trim() });
  if (!parsed.success) return { errors: refusalOf(parsed.error.issues).details.errors ?? [] };
  const { source, target, errors } = readCodes(glossary, parsed.data);
  if (source === undefined || target === undefined || errors.length > 0) return { errors };
  return { ...parsed.data, source, target };
}
