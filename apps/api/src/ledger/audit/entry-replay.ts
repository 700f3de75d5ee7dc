import { hash } from 'node:crypto';
import { ENTRY_BYTES, HASH_BYTES } from '@yiqiao/domain/entry-bytes';
import {
  advance,
  billingModeCode,
  billingModeOf,
  emptyAccount,
  ENTRY_TYPES,
  entryTypeOf,
  replay,
  type AccountState,
  type Difference,
  type Entry,
  type EntryType,
} from '@yiqiao/domain/ledger';
import { bitsOf, effectsOf, entryRuleDifference, ruleFor, type EntryRule } from '@yiqiao/domain/entry-rules';
import { ENTRY_COLUMN as C, entryFrom } from './audit-rows.js';
import { chain, FIRST_HEAD } from '../rows/chain.js';
import { type CopyRows, timeAt } from './copy-rows.js';

/** Where a field stands in the hashed bytes, behind the predecessor's hash: see the domain's entry-bytes.ts. */
const slot = (n: number): number => HASH_BYTES + 8 * n;
const CHANNELS = slot(20);
const MODES = slot(21);
const COMMAND = slot(29);
const REFERENCES = [
  [C.orderId, slot(22), bitsOf(['orderId'])],
  [C.memberGroupId, slot(23), bitsOf(['memberGroupId'])],
  [C.rechargeTranChannelId, slot(24), bitsOf(['rechargeTranChannelId'])],
  [C.consumeConfigId, slot(25), bitsOf(['consumeConfigId'])],
  [C.consumeTranChannelId, slot(26), bitsOf(['consumeTranChannelId'])],
  [C.counterpartId, slot(27), bitsOf(['counterpartId'])],
  [C.managerId, slot(28), bitsOf(['managerId'])],
] as const;
const [CHAR_UP, CHAR_DOWN] = [bitsOf(['charUp']), bitsOf(['charDown'])];
const [VOICE_UP, VOICE_DOWN] = [bitsOf(['voiceUp']), bitsOf(['voiceDown'])];
const [IMAGE_UP, IMAGE_DOWN, IMAGES_DOWN] = [
  bitsOf(['imageUp']),
  bitsOf(['imageDown']),
  bitsOf(['imageDown', 'imagesDown']),
];
const [USED, USED_DOWN] = [bitsOf(['used']), bitsOf(['used', 'usedDown'])];
const [AMOUNT_UP, AMOUNT_DOWN, MINUTES] = [bitsOf(['amountUp']), bitsOf(['amountDown']), bitsOf(['minutes'])];
const [EXPIRY, CHANNEL, MODE] = [bitsOf(['expiry']), bitsOf(['channel']), bitsOf(['mode'])];
const RECHARGE_MODE = bitsOf(['rechargeBillingMode']);

/**
 * One account, entry by entry, as `replay` of the domain, the chain and the rules of the entries' types say: whole so far, or what
 * differs.
 *
 * Ten million entries are followed straight on the bytes in which PostgreSQL sends them, because an object per entry would take
 * most of the time. Whatever is not exactly as expected there, is decided by the domain's own replay, which also names it; a test shows
 * that the two never disagree.
 */
export class EntryReplay {
  readonly state: AccountState = emptyAccount();
  /** By code of the type − 1. */
  readonly typeSeqs: number[];
  /** Time of the last entry, ms. */
  at = 0;
  /** The rule that the last entry follows; null when it follows none. */
  rule: EntryRule | null = null;
  readonly #content = Buffer.alloc(HASH_BYTES + ENTRY_BYTES);
  readonly #out = new DataView(this.#content.buffer, this.#content.byteOffset, this.#content.length);

  constructor(
    readonly userId: number,
    readonly familyId: number,
  ) {
    this.typeSeqs = new Array<number>(TYPES.length - 1).fill(0);
    this.#content.write(FIRST_HEAD, 'hex');
  }

  /** The hash of the last entry, in hex. */
  get head(): string {
    return this.#content.toString('hex', 0, HASH_BYTES);
  }

  /**
   * Follows the entry that `rows` stands on. After a difference the account goes on from the entry as it stands, so that what comes
   * later is judged by itself.
   */
  follow(rows: CopyRows): Difference | null {
    return this.#followBytes(rows) ? null : this.#followEntry(rows);
  }

  /** False when anything is unusual; then nothing has changed. */
  #followBytes(rows: CopyRows): boolean {
    const { state, typeSeqs } = this;
    const { view, at } = rows;
    const out = this.#out;
    if (at[C.createdAt] === -1 || at[C.cmdId] === -1) return false;
    if (copyInt(view, at[C.userId], out, slot(0)) !== this.userId) return false;
    if (copyInt(view, at[C.familyId], out, slot(1)) !== this.familyId) return false;
    const seq = copyInt(view, at[C.seq], out, slot(2));
    if (seq !== state.seq + 1) return false;
    const type = rows.int(C.type);
    if (TYPES[type] === undefined) return false;
    putSmall(out, slot(3), type);
    const typeSeq = copyInt(view, at[C.typeSeq], out, slot(4));
    if (typeSeq !== (typeSeqs[type - 1] ?? 0) + 1) return false;
    const createdAt = copyTime(view, at[C.createdAt], out, slot(5));
    if (!(createdAt >= this.at) || !Number.isSafeInteger(createdAt)) return false;

    const charChange = copyInt(view, at[C.charChange], out, slot(6));
    const minChange = copyInt(view, at[C.minChange], out, slot(7));
    const voiceChange = copyInt(view, at[C.voiceChange], out, slot(8));
    const imageChange = copyInt(view, at[C.imageChange], out, slot(9));
    const used = copyInt(view, at[C.usedCharNum], out, slot(10));
    const amount = copyInt(view, at[C.amount], out, slot(11));
    if (copyInt(view, at[C.beforeCharNum], out, slot(12)) !== state.charNum) return false;
    const charNum = copyInt(view, at[C.lastCharNum], out, slot(13));
    if (copyInt(view, at[C.beforeVoiceNum], out, slot(14)) !== state.voiceNum) return false;
    const voiceNum = copyInt(view, at[C.lastVoiceNum], out, slot(15));
    if (copyInt(view, at[C.beforeImageNum], out, slot(16)) !== state.imageNum) return false;
    const imageNum = copyInt(view, at[C.lastImageNum], out, slot(17));
    if (state.charNum + charChange !== charNum || state.voiceNum + voiceChange !== voiceNum) return false;
    if (state.imageNum + imageChange !== imageNum || !(charNum >= 0 && voiceNum >= 0 && imageNum >= 0)) return false;
    if (!isExact(charNum) || !isExact(voiceNum) || !isExact(imageNum)) return false;
    if (!isExact(minChange) || !isExact(used) || !isExact(amount)) return false;

    if ((at[C.beforeExpireAt] === -1) !== (state.expireAt === null)) return false;
    if ((at[C.beforeTranChannelId] === -1) !== (state.tranChannelId === null)) return false;
    if (copyTime(view, at[C.beforeExpireAt], out, slot(18)) !== (state.expireAt ?? 0)) return false;
    const expireAt = copyTime(view, at[C.lastExpireAt], out, slot(19));
    if (!Number.isSafeInteger(expireAt)) return false;
    const before = smallOr0(rows, C.beforeTranChannelId);
    const channel = smallOr0(rows, C.lastTranChannelId);
    if (before !== (state.tranChannelId ?? 0)) return false;
    out.setInt32(CHANNELS, before);
    out.setInt32(CHANNELS + 4, channel);
    const beforeMode = rows.int(C.beforeBillingMode);
    const mode = rows.int(C.lastBillingMode);
    const rechargeMode = smallOr0(rows, C.rechargeBillingMode);
    if (beforeMode !== billingModeCode(state.billingMode)) return false;
    if ((mode !== 1 && mode !== 2) || rechargeMode < 0 || rechargeMode > 2) return false;
    putSmall(out, MODES, beforeMode * 10_000 + mode * 100 + rechargeMode);
    let effects = 0;
    if (charChange !== 0) effects |= charChange > 0 ? CHAR_UP : CHAR_DOWN;
    if (voiceChange !== 0) effects |= voiceChange > 0 ? VOICE_UP : VOICE_DOWN;
    if (imageChange !== 0) effects |= imageChange > 0 ? IMAGE_UP : imageChange === -1 ? IMAGE_DOWN : IMAGES_DOWN;
    if (minChange !== 0) effects |= MINUTES;
    if (used !== 0) effects |= used > 0 ? USED : USED_DOWN;
    if (amount !== 0) effects |= amount > 0 ? AMOUNT_UP : AMOUNT_DOWN;
    const lastExpireAt = at[C.lastExpireAt] === -1 ? null : expireAt;
    const lastChannel = at[C.lastTranChannelId] === -1 ? null : channel;
    if (lastExpireAt !== state.expireAt) effects |= EXPIRY;
    if (lastChannel !== state.tranChannelId) effects |= CHANNEL;
    if (mode !== beforeMode) effects |= MODE;
    if (at[C.rechargeBillingMode] !== -1) effects |= RECHARGE_MODE;
    for (const [column, to, effect] of REFERENCES) {
      if (at[column] === -1) {
        putSmall(out, to, 0);
        continue;
      }
      effects |= effect;
      if (rows.lengthOf(column) === 4) putSmall(out, to, rows.int(column));
      else if (!isExact(copyInt(view, at[column], out, to))) return false;
    }
    const name = TYPES[type];
    const rule = name === undefined ? null : ruleFor(name, effects);
    if (rule === null) return false;
    copyBytes(view, at[C.cmdId], out, COMMAND, 16);
    if (!isHash(hash('sha256', this.#content, 'binary'), rows)) return false;
    if (rule.exact && rule.exact(entryFrom(rows)) !== null) return false;

    this.rule = rule;
    copyBytes(view, at[C.hash], out, 0, HASH_BYTES);
    typeSeqs[type - 1] = typeSeq;
    this.at = createdAt;
    state.seq = seq;
    state.charNum = charNum;
    state.voiceNum = voiceNum;
    state.imageNum = imageNum;
    state.usedCharTotal += used;
    state.rechargeAmountTotal += amount;
    // What does not change is not written: a time is a number with a place of its own in memory.
    if (lastExpireAt !== state.expireAt) state.expireAt = lastExpireAt;
    state.tranChannelId = lastChannel;
    if (mode !== beforeMode) state.billingMode = billingModeOf(mode) ?? 'char';
    return true;
  }

  /** The same with the domain's own functions. */
  #followEntry(rows: CopyRows): Difference | null {
    const entry = entryFrom(rows);
    const code = rows.int(C.type);
    const known = entryTypeOf(code) !== undefined;
    const typeSeq = (this.typeSeqs[code - 1] ?? 0) + 1;
    const found = rows.hex(C.hash);
    const wrong =
      (known ? null : differs('type', 'a known type', code)) ??
      inexact(entry) ??
      unknownMode(rows) ??
      replay({ ...this.state }, entry) ??
      differ('userId', this.userId, entry.userId) ??
      differ('familyId', this.familyId, entry.familyId) ??
      differ('typeSeq', typeSeq, entry.typeSeq) ??
      (entry.createdAt < this.at ? differs('createdAt', `≥ ${iso(this.at)}`, iso(entry.createdAt)) : null) ??
      differ('hash', chain(this.head, entry), found) ??
      entryRuleDifference(entry);
    advance(this.state, entry);
    if (known) this.typeSeqs[code - 1] = entry.typeSeq;
    this.rule = known ? ruleFor(entry.type, effectsOf(entry)) : null;
    this.at = entry.createdAt;
    this.#content.write(found, 'hex');
    return wrong;
  }
}

const TYPES = Object.entries(ENTRY_TYPES).reduce<EntryType[]>((types, [type, { code }]) => {
  types[code] = type as EntryType;
  return types;
}, []);

export const iso = (ms: number): string => (Number.isFinite(ms) ? new Date(ms).toISOString() : String(ms));

export const differs = (field: string, expected: unknown, found: unknown): Difference => ({ field, expected, found });

export const differ = (field: string, expected: unknown, found: unknown): Difference | null =>
  expected === found ? null : differs(field, expected, found);

/** A number that no longer counts exactly proves nothing: who could tell 2⁵³ from 2⁵³ + 1? */
function inexact(entry: Entry): Difference | null {
  for (const [field, value] of Object.entries(entry))
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return differs(field, 'a safe integer', value);
  return null;
}

function unknownMode(rows: CopyRows): Difference | null {
  for (const field of ['beforeBillingMode', 'lastBillingMode'] as const)
    if (billingModeOf(rows.int(C[field])) === null) return differs(field, 'char or time', rows.int(C[field]));
  return null;
}

const isExact = (n: number): boolean => n <= Number.MAX_SAFE_INTEGER && n >= Number.MIN_SAFE_INTEGER;

/** Copies a 64-bit integer and answers it; NaN, which equals nothing, for NULL. */
function copyInt(from: DataView, at: number | undefined, to: DataView, slotAt: number): number {
  if (at === undefined || at < 0) return Number.NaN;
  const high = from.getInt32(at);
  const low = from.getUint32(at + 4);
  to.setInt32(slotAt, high);
  to.setUint32(slotAt + 4, low);
  return high * 4294967296 + low;
}

/** Writes a small integer as 64-bit big-endian two's complement. */
function putSmall(to: DataView, slotAt: number, n: number): void {
  to.setInt32(slotAt, n < 0 ? -1 : 0);
  to.setInt32(slotAt + 4, n);
}

/** Copies a time as milliseconds; 0 for NULL. */
function copyTime(from: DataView, at: number | undefined, to: DataView, slotAt: number): number {
  const ms = at === -1 ? 0 : timeAt(from, at ?? -1);
  to.setInt32(slotAt, Math.floor(ms / 4294967296));
  to.setUint32(slotAt + 4, ms >>> 0);
  return ms;
}

const smallOr0 = (rows: CopyRows, column: number): number => (rows.at[column] === -1 ? 0 : rows.int(column));

function copyBytes(from: DataView, at: number | undefined, to: DataView, toAt: number, length: number): void {
  for (let i = 0; i < length; i += 4) to.setInt32(toAt + i, from.getInt32((at ?? -1) + i));
}

/** Whether the row's hash is this one, a byte per character. */
function isHash(digest: string, rows: CopyRows): boolean {
  if (rows.lengthOf(C.hash) !== HASH_BYTES) return false;
  const at = rows.at[C.hash] ?? -1;
  for (let i = 0; i < HASH_BYTES; i++) if (digest.charCodeAt(i) !== rows.view.getUint8(at + i)) return false;
  return true;
}
