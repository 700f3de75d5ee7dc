import type { LifeChange } from '@yiqiao/domain/conversion';
import type { AccountState, Quota } from '@yiqiao/domain/ledger';
import { DAY_MS } from '@yiqiao/domain/limits';
import { leafHash } from '../closes/merkle-tree.js';

/** What a replay of entries carries from one to the next; `at`: time of the last one; `head`: its hash, hex. Times in ms. */
export type EntryState = { account: AccountState; typeSeqs: readonly number[]; at: number; head: string };

/** What the audit of an account carries from one entry to the next. Times in ms; a day counts from 1970. */
export type ReplayState = {
  familyId: number;
  entries: EntryState;
  /** The last line of the translation log before the next entry. */
  lines: { seq: number; at: number };
  /** The last day with usage, so far: an entry may still be added to it. */
  usage: { day: number | null; sums: readonly [charNum: number, voiceNum: number, imageNum: number] };
  gifts: { opening: Gift | null; rewards: readonly Gift[] };
  /** What later conversions depend on. */
  tariffs: {
    lives: readonly LifeChange[] | null;
    credited: readonly (readonly [orderId: number, { at: number; tranChannelId: number }])[];
  };
};
export type Gift = Quota & { seq: number };

/** Of another format or of days in another time zone, an anchor is not used, and the account is read from its first entry. */
const FORMAT = 'yiqiao-ledger-anchors/1';

export type Batch = {
  close: number;
  closeHash: string;
  timeZone: string;
  size: number;
  root: string;
  publicKey: string;
};
export type SignedBatch = Batch & { signature: string };

/** The signed text, one field a line. */
export const batchText = ({ close, closeHash, timeZone, size, root, publicKey }: Batch): string =>
  [FORMAT, close, closeHash, timeZone, size, root, publicKey].map((field) => `${field}\n`).join('');

/** An anchor's leaf in the tree of its batch: the account, then its state as it is stored. */
export function anchorLeaf(userId: number, state: string): Buffer {
  const id = Buffer.alloc(8);
  id.writeBigInt64BE(BigInt(userId));
  return leafHash(Buffer.concat([id, Buffer.from(state)]));
}

export const dateOf = (day: number | null): string | null =>
  day === null ? null : new Date(day * DAY_MS).toISOString().slice(0, 10);

/** A close whose signature is right: what new anchors are bound to. */
export type AnchoringClose = { number: number; hash: string };
