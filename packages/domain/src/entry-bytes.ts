/** What is hashed of an entry: the format of the chain (decisions §4). */
import { billingModeCode, ENTRY_TYPES, type Entry } from './ledger.js';

/** The bytes of one entry under the hash: 29 big-endian 64-bit integers, then the 16 bytes of the command id. */
export const ENTRY_BYTES = 29 * 8 + 16;
export const HASH_BYTES = 32;

/** Writes a safe integer as 64-bit big-endian two's complement. */
function putInt(out: DataView, at: number, n: number): number {
  out.setInt32(at, Math.floor(n / 4294967296));
  out.setUint32(at + 4, n >>> 0);
  return at + 8;
}

/**
 * Canonical content of an entry (decisions §4), written at `at` of `out`; ENTRY_BYTES long. Absent ids and times count as 0,
 * which no real one has. The order below is the format: it never changes.
 */
export function putEntry(out: DataView, at: number, e: Entry): number {
  at = putInt(out, at, e.userId);
  at = putInt(out, at, e.familyId);
  at = putInt(out, at, e.seq);
  at = putInt(out, at, ENTRY_TYPES[e.type].code);
  at = putInt(out, at, e.typeSeq);
  at = putInt(out, at, e.createdAt);
  at = putInt(out, at, e.charChange);
  at = putInt(out, at, e.minChange);
  at = putInt(out, at, e.voiceChange);
  at = putInt(out, at, e.imageChange);
  at = putInt(out, at, e.usedCharNum);
  at = putInt(out, at, e.amount);
  at = putInt(out, at, e.beforeCharNum);
  at = putInt(out, at, e.lastCharNum);
  at = putInt(out, at, e.beforeVoiceNum);
  at = putInt(out, at, e.lastVoiceNum);
  at = putInt(out, at, e.beforeImageNum);
  at = putInt(out, at, e.lastImageNum);
  at = putInt(out, at, e.beforeExpireAt ?? 0);
  at = putInt(out, at, e.lastExpireAt ?? 0);
  out.setInt32(at, e.beforeTranChannelId ?? 0);
  out.setInt32(at + 4, e.lastTranChannelId ?? 0);
  at += 8;
  at = putInt(
    out,
    at,
    billingModeCode(e.beforeBillingMode) * 10_000 +
      billingModeCode(e.lastBillingMode) * 100 +
      billingModeCode(e.rechargeBillingMode),
  );
  at = putInt(out, at, e.orderId ?? 0);
  at = putInt(out, at, e.memberGroupId ?? 0);
  at = putInt(out, at, e.rechargeTranChannelId ?? 0);
  at = putInt(out, at, e.consumeConfigId ?? 0);
  at = putInt(out, at, e.consumeTranChannelId ?? 0);
  at = putInt(out, at, e.counterpartId ?? 0);
  at = putInt(out, at, e.managerId ?? 0);
  return putUuid(out, at, e.cmdId);
}

const nibble = (charCode: number): number => (charCode <= 57 ? charCode - 48 : (charCode | 32) - 87);

/** Writes the 16 bytes of a UUID in its usual form of 36 characters. */
function putUuid(out: DataView, at: number, uuid: string): number {
  for (let i = 0; i < 36; i += 2) {
    if (i === 8 || i === 13 || i === 18 || i === 23) i++;
    out.setUint8(at++, (nibble(uuid.charCodeAt(i)) << 4) | nibble(uuid.charCodeAt(i + 1)));
  }
  return at;
}
