import { ENTRY_FIELD_NAMES, entryField, type EntryField } from '@yiqiao/domain/entry-fields';
import { billingModeCode, billingModeOf, ENTRY_TYPES, entryTypeOf, type Entry } from '@yiqiao/domain/ledger';
import type { Value } from './account-rows.js';
import { LiteralArray } from './array-parameters.js';

export const ENTRY_COLUMN_NAMES = ENTRY_FIELD_NAMES.map((name) => entryField(name).column);

/** The select list that `entryOf` reads: times as milliseconds. */
export const ENTRY_COLUMNS = ENTRY_FIELD_NAMES.map((name) => {
  const { column, type } = entryField(name);
  return type === 'timestamptz' ? `(date_part('epoch', ${column}) * 1000)::bigint` : column;
}).join(', ');

/** An INSERT of entries, whose values are SQL expressions, from `source`. Columns without a value stay NULL. */
export function insertEntries(
  values: Partial<Record<EntryField, string>>,
  { hash, from }: { hash: string; from: string },
): string {
  const names = ENTRY_FIELD_NAMES.filter((name) => values[name] !== undefined);
  const select = names.map((name) =>
    entryField(name).type === 'timestamptz' ? `to_timestamp(${values[name]} / 1000.0::float8)` : values[name],
  );
  return `
INSERT INTO account_log (${names.map((name) => entryField(name).column).join(', ')}, hash)
SELECT ${select.join(', ')}, decode(${hash}, 'hex') FROM ${from}`;
}

const HASH_PARAMETER = `$${ENTRY_FIELD_NAMES.length + 1}::text[]`;

/** Inserts entries of any type with their hashes, with the parameters of `entryParameters`. */
export const INSERT_ENTRIES = insertEntries(
  Object.fromEntries(ENTRY_FIELD_NAMES.map((name) => [name, entryField(name).column])),
  {
    hash: 'hash',
    from: `unnest(${ENTRY_FIELD_NAMES.map((name, i) => `$${i + 1}::${entryField(name).type === 'uuid' ? 'uuid' : 'bigint'}[]`).join(', ')}, ${HASH_PARAMETER})
  AS d (${ENTRY_COLUMN_NAMES.join(', ')}, hash)`,
  },
);

/** An entry that is to be written, with its link of the chain in hex. */
export type ChainedEntry = { entry: Entry; hash: string };

export const entryParameters = (entries: readonly ChainedEntry[]): LiteralArray[] => [
  ...ENTRY_FIELD_NAMES.map((name) => new LiteralArray(entries.map(({ entry }) => storedValue(entry, name)))),
  new LiteralArray(entries.map(({ hash }) => hash)),
];

/** The value of a field in its column: codes instead of names, times in milliseconds. */
export function storedValue(entry: Entry, name: EntryField): Value {
  const value = entry[name];
  if (value === null) return null;
  const { coded } = entryField(name);
  if (coded === 'entryType') return ENTRY_TYPES[entry.type].code;
  return coded === 'billingMode' ? billingModeCode(value as Entry['lastBillingMode']) : value;
}

/** How the fields of an entry are read from a row. Each function gets the row and the index of the column. */
export type EntryDecoder<Row> = {
  number: (row: Row, index: number) => number;
  numberOrNull: (row: Row, index: number) => number | null;
  time: (row: Row, index: number) => number;
  timeOrNull: (row: Row, index: number) => number | null;
  uuid: (row: Row, index: number) => string;
  entryType: (row: Row, index: number) => Entry['type'];
  billingMode: (row: Row, index: number) => Entry['lastBillingMode'];
  billingModeOrNull: (row: Row, index: number) => Entry['rechargeBillingMode'];
};

/**
 * Compiles a function that reads an entry from a row: one object literal with the fields of the table, as if written by hand, because
 * setting properties by name would take several times as long. The source consists of the table's constants alone.
 */
export function compileDecoder<Row>(decoder: EntryDecoder<Row>): (row: Row) => Entry {
  const fields = ENTRY_FIELD_NAMES.map((name, index) => {
    const { type, coded, nullable } = entryField(name);
    const kind = coded ?? (type === 'uuid' ? 'uuid' : type === 'timestamptz' ? 'time' : 'number');
    return `${name}: decoder.${kind}${nullable ? 'OrNull' : ''}(row, ${index})`;
  });
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- see above
  const compile = new Function('decoder', `return function decodeEntry(row) { return { ${fields.join(', ')} }; };`) as (
    using: EntryDecoder<Row>,
  ) => (row: Row) => Entry;
  return compile(decoder);
}

const numberOrNull = (row: Value[], index: number): number | null => {
  const value = row[index] ?? null;
  return value === null ? null : Number(value);
};
const number = (row: Value[], index: number): number => Number(row[index]);

/** An entry from its row of ENTRY_COLUMNS. A type without a row in ENTRY_TYPES is kept as text. */
export const entryOf = compileDecoder<Value[]>({
  number,
  numberOrNull,
  time: number,
  timeOrNull: numberOrNull,
  uuid: (row, index) => String(row[index]),
  entryType: (row, index) => entryTypeOf(Number(row[index])) ?? (`unknown type ${row[index]}` as Entry['type']),
  billingMode: (row, index) => billingModeOf(Number(row[index])) ?? 'char',
  billingModeOrNull: (row, index) => billingModeOf(Number(row[index] ?? 0)),
});
