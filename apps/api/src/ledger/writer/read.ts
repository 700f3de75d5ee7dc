import type { BillingMode } from '@yiqiao/domain/plans';
import type { LockedAccount } from '../rows/account-rows.js';
import type { StoredHold } from './writes.js';

/** A line of the translation log that stands under a command's id: the command, or its twin, has ended before. */
export type StoredLine = {
  userId: number;
  ok: boolean;
  charged: number;
  codePoints: number;
  billingMode: BillingMode;
  entrySeq: number | null;
};

/** Everything that a batch has read under its locks. Ids are the commands' own. */
export type Read = {
  /** The database's clock, ms. */
  now: number;
  accounts: Map<number, LockedAccount>;
  holds: Map<string, StoredHold>;
  lines: Map<string, StoredLine>;
  /** Expiry of the main accounts of the sub-accounts in the batch. */
  expiries: Map<number, number | null>;
  /** Sub-accounts that may be given characters by their main account, of those asked for with it. */
  sharers: Set<number>;
};

/** The same for one command. */
export type Found = { account: LockedAccount; line: StoredLine | undefined; hold: StoredHold | undefined; now: number };
