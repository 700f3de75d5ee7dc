import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { ENTRY_FIELD_NAMES, entryField, type EntryField } from '@yiqiao/domain/entry-fields';
import { entryRuleDifference } from '@yiqiao/domain/entry-rules';
import {
  emptyAccount,
  ENTRY_TYPES,
  post,
  replay,
  type AccountState,
  type Entry,
  type EntryType,
  type Movement,
} from '@yiqiao/domain/ledger';
import fc from 'fast-check';
import { ENTRY_COLUMN, entryFrom } from './audit-rows.js';
import { chain, FIRST_HEAD } from '../rows/chain.js';
import { CopyRows } from './copy-rows.js';
import { EntryReplay } from './entry-replay.js';
import { storedValue } from '../rows/entry-rows.js';

const NEW_YEAR_2000 = 946_684_800_000n;
/** A column's bytes as PostgreSQL sends them; null for NULL. */
type Cell = Buffer | null;

function cellOf(name: EntryField, value: string | number | null): Cell {
  const { type } = entryField(name);
  if (value === null) return null;
  if (type === 'uuid') return Buffer.from(String(value).replaceAll('-', ''), 'hex');
  const bytes = Buffer.alloc(type === 'smallint' ? 2 : type === 'int' ? 4 : 8);
  if (bytes.length === 2) bytes.writeInt16BE(Number(value));
  else if (bytes.length === 4) bytes.writeInt32BE(Number(value));
  else if (type === 'timestamptz') bytes.writeBigInt64BE((BigInt(value) - NEW_YEAR_2000) * 1000n);
  else bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

const cellsOf = (entry: Entry, hash: string): Cell[] => [
  ...ENTRY_FIELD_NAMES.map((name) => cellOf(name, storedValue(entry, name))),
  Buffer.from(hash, 'hex'),
];

const int = (n: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeIntBE(n, 0, bytes);
  return buffer;
};

/** A whole binary COPY, cut into pieces anywhere. */
function copyOf(rows: Cell[][], cut: number): Promise<CopyRows> {
  const parts: Buffer[] = [Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)];
  for (const cells of rows) {
    parts.push(int(cells.length, 2));
    for (const cell of cells) parts.push(...(cell === null ? [int(-1, 4)] : [int(cell.length, 4), cell]));
  }
  const bytes = Buffer.concat([...parts, int(-1, 2)]);
  const pieces = [];
  for (let at = 0; at < bytes.length; at += cut) pieces.push(bytes.subarray(at, at + cut));
  return CopyRows.from(Readable.from(pieces), ENTRY_FIELD_NAMES.length + 1);
}

const id = fc.option(fc.integer({ min: 1, max: 2 ** 31 - 1 }), { nil: undefined });
const change = fc.integer({ min: -50, max: 5000 });
const time = fc.option(fc.integer({ min: 1, max: 253_402_300_799_000 }), { nil: undefined });
const movement = fc.record(
  {
    type: fc.constantFrom(...(Object.keys(ENTRY_TYPES) as EntryType[])),
    charChange: change,
    minChange: change,
    voiceChange: change,
    imageChange: change,
    usedCharNum: fc.nat(5000),
    amount: fc.nat(100_000),
    expireAt: time,
    tranChannelId: id,
    billingMode: fc.constantFrom('char' as const, 'time' as const),
    refs: fc.record({ orderId: id, memberGroupId: id, counterpartId: id, managerId: id, consumeTranChannelId: id }),
  },
  { requiredKeys: ['type'] },
);

/** Movements that keep the rules of their types, of a main account; `n` ≥ 1. */
const LAWFUL: ((n: number, state: AccountState, now: number) => Movement)[] = [
  (n) => ({ type: 'TRANSLATION_CONSUME', charChange: -n, usedCharNum: n, refs: { consumeTranChannelId: 1 } }),
  (n) => ({ type: 'TRANSLATION_CONSUME', usedCharNum: n, refs: { consumeTranChannelId: 2, consumeConfigId: n } }),
  (n) => ({ type: 'VOICE_CONSUME', voiceChange: -n, refs: { consumeTranChannelId: 1 } }),
  () => ({ type: 'OTHER', imageChange: -1, refs: { consumeTranChannelId: 1 } }),
  () => ({ type: 'INVITE_REWARD', charChange: 10_000 }),
  (n) => ({ type: 'SYS_ADJUST', charChange: 9_999, voiceChange: 999, imageChange: n, refs: { managerId: n } }),
  (n) => ({ type: 'SYS_ADJUST', expireAt: n, minChange: n, refs: { managerId: n } }),
  (n) => ({ type: 'DISTRIBUTION', charChange: n, refs: { counterpartId: n } }),
  (n) => ({ type: 'RECOVERY', imageChange: n, refs: { counterpartId: n } }),
  (n, { tranChannelId }) => ({ type: 'MATRIX', charChange: n, tranChannelId: (tranChannelId ?? 0) + n }),
  (n, { billingMode }, now) => ({
    type: 'SYS_MATRIX',
    minChange: n,
    expireAt: now + n,
    billingMode: billingMode === 'char' ? 'time' : 'char',
  }),
  (n, { expireAt, tranChannelId, billingMode }, now) => ({
    type: 'RECHARGE_ORDER_BY_MEMBER_GROUP',
    ...(billingMode === 'time' ? { minChange: n } : { charChange: n }),
    expireAt: Math.max(now, expireAt ?? 0) + (billingMode === 'time' ? n * 60_000 : 30 * 86_400_000),
    tranChannelId: tranChannelId ?? 1,
    amount: n,
    refs: { orderId: n, memberGroupId: 2, rechargeTranChannelId: tranChannelId ?? 1, rechargeBillingMode: billingMode },
  }),
];
const step = fc.oneof(
  { weight: 1, arbitrary: movement },
  { weight: 12, arbitrary: fc.record({ lawful: fc.nat(LAWFUL.length - 1), n: fc.integer({ min: 1, max: 5_000 }) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function movementOf(asked: Step, state: AccountState, now: number): Movement {
  if ('lawful' in asked) return LAWFUL[asked.lawful]?.(asked.n, state, now) ?? { type: 'OTHER' };
  const { refs, type, ...rest } = asked;
  const said = <T extends object>(all: T): Partial<T> =>
    Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Partial<T>;
  return { type, ...said(rest), refs: said(refs ?? {}) };
}

/** A change of one column of one row, and whether the hash is recomputed afterwards, as an attacker would. */
const harm = fc.record({
  row: fc.nat(),
  column: fc.nat(ENTRY_FIELD_NAMES.length),
  kind: fc.constantFrom('none', 'add', 'null', 'flip', 'drop', 'swap'),
  by: fc.constantFrom(1, -1, 5000, 2 ** 31, 2 ** 53),
  rehash: fc.boolean(),
});
type Harm = typeof harm extends fc.Arbitrary<infer T> ? T : never;

const USER = 7;
const FAMILY = 7;
const START = 1_700_000_000_000;

const FIRST: Movement = { type: 'SYS_ADJUST', charChange: 20_000, voiceChange: 20_000, refs: { managerId: 1 } };

function story(steps: readonly (Step | Movement)[]): Cell[][] {
  const state = emptyAccount();
  const typeSeqs = new Map<EntryType, number>();
  const rows: Cell[][] = [];
  let head = FIRST_HEAD;
  for (const [i, asked] of steps.entries()) {
    const createdAt = START + i;
    const m = movementOf(asked as Step, state, createdAt);
    const typeSeq = (typeSeqs.get(m.type) ?? 0) + 1;
    const cmdId = `0190f3c4-7a2b-7c3d-8e4f-${i.toString(16).padStart(12, '0')}`;
    try {
      const entry = post(state, m, { userId: USER, familyId: FAMILY, typeSeq, cmdId, createdAt });
      typeSeqs.set(m.type, typeSeq);
      head = chain(head, entry);
      rows.push(cellsOf(entry, head));
    } catch {
      // Refused: it leaves no entry.
    }
  }
  return rows;
}

function harmed(rows: Cell[][], { row, column, kind, by }: Harm): Cell[][] {
  const at = row % rows.length;
  if (kind === 'drop') return rows.toSpliced(at, 1);
  const next = rows[at + 1];
  const cells = [...(rows[at] ?? [])];
  if (kind === 'swap' && next) return rows.with(at, next).with(at + 1, cells);
  const cell = cells[column];
  if (kind === 'null') cells[column] = null;
  if (kind === 'flip' && cell)
    cells[column] = Buffer.from(cell.map((byte, i) => (i === cell.length - 1 ? byte ^ 1 : byte)));
  if (kind === 'add' && cell?.length === 8) {
    const sum = Buffer.alloc(8);
    sum.writeBigInt64BE(BigInt.asIntN(64, cell.readBigInt64BE() + BigInt(by)));
    cells[column] = sum;
  }
  return rows.with(at, cells);
}

/** The reference implementation: the domain's replay, the chain, and the account's own numbering. */
function reference(
  entry: Entry,
  hash: string,
  past: { state: ReturnType<typeof emptyAccount>; types: Map<string, number>; head: string; at: number },
): boolean {
  if (!((ENTRY_TYPES as Record<string, unknown>)[entry.type] !== undefined)) return false;
  if (Object.values(entry).some((v) => typeof v === 'number' && !Number.isSafeInteger(v))) return false;
  const follows =
    entry.userId === USER &&
    entry.familyId === FAMILY &&
    entry.typeSeq === (past.types.get(entry.type) ?? 0) + 1 &&
    entry.createdAt >= past.at &&
    chain(past.head, entry) === hash &&
    replay(past.state, entry) === null &&
    entryRuleDifference(entry) === null;
  if (!follows) return false;
  past.types.set(entry.type, entry.typeSeq);
  past.head = hash;
  past.at = entry.createdAt;
  return true;
}

describe('replay on bytes', () => {
  it('accepts the same rows as the domain replay and reaches the same state', async () => {
    let refused = 0;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        harm,
        fc.integer({ min: 1, max: 700 }),
        async (movements, damage, cut) => {
          let cells = story([FIRST, ...movements]);
          cells = harmed(cells, damage);
          if (damage.rehash) cells = await rehashed(cells);
          const rows = await copyOf(cells, cut);
          const replay = new EntryReplay(USER, FAMILY);
          const past = { state: emptyAccount(), types: new Map<string, number>(), head: FIRST_HEAD, at: 0 };
          while (rows.live) {
            const expected = reference(entryFrom(rows), rows.hex(ENTRY_COLUMN.hash), past) && hasModes(rows);
            const found = replay.follow(rows);
            expect(found === null).toBe(expected);
            if (found) {
              refused++;
              return;
            }
            accepted++;
            expect(replay.state).toEqual(past.state);
            expect([replay.head, replay.at]).toEqual([past.head, past.at]);
            if (!rows.next()) await rows.fill();
          }
        },
      ),
      { numRuns: 600 },
    );
    // A test that covers only one of them would prove nothing.
    expect(refused).toBeGreaterThan(100);
    expect(accepted).toBeGreaterThan(400);
  });

  it('reads times exactly up to the year 9999', async () => {
    for (const expireAt of [253_402_300_799_000, 253_402_300_799_000 - 1, 9_999_999_999_999, 1]) {
      const rows = await copyOf(story([{ type: 'SYS_ADJUST', expireAt, refs: { managerId: 1 } }]), 4096);
      expect(rows.timeOrNull(ENTRY_COLUMN.lastExpireAt)).toBe(expireAt);
      expect(new EntryReplay(USER, FAMILY).follow(rows)).toBeNull();
    }
  });
});

/** A billing mode that is neither 1 nor 2 is refused, though its hash could be made to fit. */
const hasModes = (rows: CopyRows): boolean =>
  [ENTRY_COLUMN.beforeBillingMode, ENTRY_COLUMN.lastBillingMode].every((column) => [1, 2].includes(rows.int(column))) &&
  [null, 1, 2].includes(rows.intOrNull(ENTRY_COLUMN.rechargeBillingMode));

/** The same rows with recomputed hashes, where that is possible. */
async function rehashed(cells: Cell[][]): Promise<Cell[][]> {
  const rows = await copyOf(cells, 1 << 16);
  const out: Cell[][] = [];
  let head = FIRST_HEAD;
  for (const row of cells) {
    try {
      head = chain(head, entryFrom(rows));
      out.push(row.with(-1, Buffer.from(head, 'hex')));
    } catch {
      out.push(row);
    }
    if (!rows.next()) await rows.fill();
  }
  return out;
}
