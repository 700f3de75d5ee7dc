import { termFields } from '@yiqiao/contracts/glossary';
import { GLOSSARY_TERMS_MAX } from '@yiqiao/domain/limits';
import { Refusal } from '@yiqiao/domain/errors';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import { refusalOf } from '../platform/input-pipe.js';
import { type Languages, readCodes } from './language-pair.js';
import { keyOf, type PairedTerm } from './term-keys.js';
import { type Field, FIELDS, columnPositions, unescaped } from './terms-table.js';

/** Errors reported per file. */
const ERRORS_MAX = 100;
/** The longest valid line, with room for ignored columns. */
const LINE_MAX = 20_000;

type LineError = { readonly path: string; readonly code: string };
type Line = { readonly number: number; readonly cells: readonly string[] };

/**
 * Reads a file of terms (contracts/glossary: importTerms). Throws GLOSSARY_FILE_INVALID with the errors of each line, or GLOSSARY_FULL when
 * the file alone exceeds the limit of a family.
 */
export function readTermsFile(file: Buffer, glossary: Languages): PairedTerm[] {
  const [headings, ...lines] = linesOf(textOf(file));
  const positions = headings && columnPositions(headings.cells);
  if (!positions) throw invalid([{ path: '1', code: 'HEADINGS_EXPECTED' }]);
  if (lines.length === 0) throw invalid([{ path: '1', code: 'FILE_EMPTY' }]);
  if (lines.length > GLOSSARY_TERMS_MAX) throw new Refusal('GLOSSARY_FULL');
  const errors: LineError[] = [];
  const terms = new Map<string, PairedTerm>();
  for (const { number, cells } of lines) {
    const read = readLine(cells, positions, glossary);
    const wrong = 'errors' in read ? read.errors : terms.has(keyOf(read)) ? [{ path: 'term', code: 'TERM_TWICE' }] : [];
    if ('errors' in read || wrong.length > 0)
      errors.push(...wrong.map(({ path, code }) => ({ path: path === '' ? `${number}` : `${number}.${path}`, code })));
    else terms.set(keyOf(read), read);
  }
  if (errors.length > 0) throw invalid(errors);
  return [...terms.values()];
}

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

/** Parses CSV as spreadsheets write it, with the separator of the headings. Lines are numbered as in an editor; empty ones are skipped. */
function linesOf(text: string): Line[] {
  // Some programs declare the separator in a first line before the table; its line break is kept for the numbering.
  const [, declared] = SEPARATOR.exec(text) ?? [];
  const table = text.replace(SEPARATOR, '');
  const [first = ''] = table.replace(/^[\r\n]+/, '').split(/[\r\n]/, 1);
  const counted = [',', ';', '\t'].reduce((best, each) =>
    occurrences(first, each) > occurrences(first, best) ? each : best,
  );
  try {
    const found: unknown = parse(table, {
      delimiter: declared ?? counted,
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
  positions: Readonly<Record<Field, number>>,
  glossary: Languages,
): PairedTerm | { readonly errors: readonly LineError[] } {
  if (FIELDS.some((field) => cells[positions[field]] === undefined))
    return { errors: [{ path: '', code: 'LINE_BROKEN' }] };
  const given = Object.fromEntries(FIELDS.map((field) => [field, unescaped(cells[positions[field]] ?? '')]));
  const parsed = fields.safeParse({ ...given, source: given['source']?.trim(), target: given['target']?.trim() });
  if (!parsed.success) return { errors: refusalOf(parsed.error.issues).details.errors ?? [] };
  const { source, target, errors } = readCodes(glossary, parsed.data);
  if (source === undefined || target === undefined || errors.length > 0) return { errors };
  return { ...parsed.data, source, target };
}
