import type { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { Language } from '@yiqiao/contracts/envelope';
import { FileAnswer } from './file-answer.js';

/** A column of a download: its heading, and the cell of a row. Numbers stay numbers; null is an empty cell. */
export type Column<Row> = { zh: string; en: string; value: (row: Row) => string | number | null };

/**
 * Prefixes that a spreadsheet also treats as a formula, because it skips invisible characters, but the library does not (CSV injection).
 */
const HIDDEN_FORMULA = /^(?:[\n\0]|[\s\p{C}]+[=+\-@＝＋－＠])/u;

const OPTIONS = {
  record_delimiter: '\r\n',
  escape_formulas: true,
  cast: { string: (text: string) => (HIDDEN_FORMULA.test(text) ? `'${text}` : text) },
};

/** The beginning of a file: the byte order mark, by which Excel recognises UTF-8, and the headings. */
export const csvHead = <Row>(columns: readonly Column<Row>[], language: Language): string =>
  stringify([columns.map((column) => column[language])], { ...OPTIONS, bom: true });

/** The lines of these rows; '' without rows. A negative number is not a formula and is not escaped. */
export const csvLines = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  rows.length === 0
    ? ''
    : stringify(
        rows.map((row) => columns.map((column) => column.value(row))),
        OPTIONS,
      );

export class CsvFile extends FileAnswer {
  constructor(name: string, text: Readable) {
    super({ name, type: 'text/csv; charset=utf-8' }, text);
  }
}
