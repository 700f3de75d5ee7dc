import { stringify } from 'csv-stringify/sync';
import type { Language } from '@yiqiao/contracts/envelope';

/** A column of a download: its heading, and what a row shows in it. Numbers stay numbers; null is an empty cell. */
export type Column<Row> = { zh: string; en: string; value: (row: Row) => string | number | null };

/**
 * A spreadsheet takes text that begins like this for a formula too, though the library does not: signs that cannot be seen are
 * passed over (security: CSV injection).
 */
const HIDDEN_FORMULA = /^(?:[\n\0]|[\s\p{C}]+[=+\-@＝＋－＠])/u;

const OPTIONS = {
  record_delimiter: '\r\n',
  escape_formulas: true,
  cast: { string: (text: string) => (HIDDEN_FORMULA.test(text) ? `'${text}` : text) },
};

/** The beginning of a file: the mark that tells Excel of UTF-8, and the headings. */
export const csvHead = <Row>(columns: readonly Column<Row>[], language: Language): string =>
  stringify([columns.map((column) => column[language])], { ...OPTIONS, bom: true });

/** The lines of these rows; '' of none. A negative number is no formula and stays as it is. */
export const csvLines = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  rows.length === 0
    ? ''
    : stringify(
        rows.map((row) => columns.map((column) => column.value(row))),
        OPTIONS,
      );
