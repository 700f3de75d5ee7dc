/** The canonical bytes of an entry, which are hashed: the format of the chain (decisions §4), made from the table of fields. */
import { ENTRY_FIELD_NAMES, entryField, type EntryField } from './entry-fields.js';
import { billingModeCode, ENTRY_TYPES, type Entry } from './ledger.js';

const WORD_BYTES = 8;
export const HASH_BYTES = 32;

/** Where the bytes of a field begin. */
export const entryOffset = (name: EntryField): number => {
  const { slot, half } = entryField(name);
  return slot * WORD_BYTES + (half === 'low' ? WORD_BYTES / 2 : 0);
};

const endOf = (name: EntryField): number =>
  (entryField(name).slot + (entryField(name).type === 'uuid' ? 2 : 1)) * WORD_BYTES;

/** The length of an entry without added fields: 29 big-endian 64-bit integers, then the 16 bytes of the command id. */
export const ENTRY_BYTES = Math.max(...ENTRY_FIELD_NAMES.filter((name) => !entryField(name).added).map(endOf));
/** The length of an entry with every added field. */
export const ENTRY_BYTES_MAX = Math.max(...ENTRY_FIELD_NAMES.map(endOf));

/** Writes a safe integer as 64-bit big-endian two's complement. */
function putInt(out: DataView, at: number, n: number): void {
  out.setInt32(at, Math.floor(n / 4294967296));
  out.setUint32(at + 4, n >>> 0);
}

const nibble = (charCode: number): number => (charCode <= 57 ? charCode - 48 : (charCode | 32) - 87);

/** Writes the 16 bytes of a UUID in its usual form of 36 characters. */
function putUuid(out: DataView, at: number, uuid: string): void {
  for (let i = 0; i < 36; i += 2) {
    if (i === 8 || i === 13 || i === 18 || i === 23) i++;
    out.setUint8(at++, (nibble(uuid.charCodeAt(i)) << 4) | nibble(uuid.charCodeAt(i + 1)));
  }
}

/** A JavaScript expression of the number that is hashed. Absent ids and times count as 0, which no real one has. */
function numberOf(name: EntryField): string {
  const { coded, nullable } = entryField(name);
  if (coded === 'entryType') return `ENTRY_TYPES[e.${name}].code`;
  if (coded === 'billingMode') return `billingModeCode(e.${name})`;
  return nullable ? `(e.${name} ?? 0)` : `e.${name}`;
}

/** The statements of `putEntry` for the fields that share a slot. */
function putSlot(names: readonly EntryField[]): string {
  const [first] = names;
  if (first === undefined) return '';
  const { type, half, factor, added } = entryField(first);
  const at = `at + ${entryOffset(first)}`;
  if (type === 'uuid') return `putUuid(out, ${at}, e.${first});`;
  if (half) return names.map((name) => `out.setInt32(at + ${entryOffset(name)}, ${numberOf(name)});`).join('\n');
  if (factor) {
    const sum = names.map((name) => `${numberOf(name)} * ${entryField(name).factor}`).join(' + ');
    return `putInt(out, ${at}, ${sum});`;
  }
  const put = `putInt(out, ${at}, ${numberOf(first)});`;
  return added ? `${put}\nif (e.${first} != null) end = at + ${endOf(first)};` : put;
}

type PutEntry = (out: DataView, at: number, e: Entry) => number;

// Compiled once from the table: one straight function, as if written by hand. Loops over the fields would cost every charge several times
// as much. The source consists of the constants above alone.
const slots = Map.groupBy(ENTRY_FIELD_NAMES, (name) => entryField(name).slot);
// eslint-disable-next-line @typescript-eslint/no-implied-eval -- see above
const compile = new Function(
  'ENTRY_TYPES',
  'billingModeCode',
  'putInt',
  'putUuid',
  `return function putEntry(out, at, e) {
    let end = at + ${ENTRY_BYTES};
    ${Array.from(slots.values(), putSlot).join('\n')}
    return end;
  };`,
) as (...context: unknown[]) => PutEntry;

/**
 * Writes the canonical bytes of an entry at `at` of `out` and returns where they end: ENTRY_BYTES further, or behind the last added field
 * that has a value (ENTRY_BYTES_MAX further at most).
 */
export const putEntry: PutEntry = compile(ENTRY_TYPES, billingModeCode, putInt, putUuid);
