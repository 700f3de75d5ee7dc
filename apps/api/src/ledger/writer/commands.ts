import type { Ask, Quota } from '@yiqiao/domain/ledger';
import type { ClientType } from '@yiqiao/domain/members';
import type { BillingMode } from '@yiqiao/domain/plans';
import type { Delivered } from '@yiqiao/domain/quotes';

/** The account at a vendor that served the most of a translation, and what all of it cost, in micro-yuan. */
export type VendorUse = { readonly accountId: number; readonly cost: number };

/** Every command of the hot path has its own id (a UUID; v7 keeps the indexes small) and names the account. */
type Addressed = { id: string; userId: number; familyId: number };

/** Who translated what through which channel: the translation log's line, never the text itself (specification §3). */
export type Usage = {
  tranChannelId: number;
  ip: string;
  clientType: ClientType;
  source: string;
  target: string;
  /** The vendor's part in it; null or absent: it had none. */
  vendor?: VendorUse | null;
  /** The member's own translation configuration, when one was used. */
  configId?: number | null;
  /** The API key that was used. */
  apiKeyId?: number | null;
};

/** Reserves the price of `ask`. The id names the whole translation: settle and release repeat it. */
export type Hold = Addressed & {
  ask: Ask;
  /** The member's channel by which `ask` was priced. If it has changed since, the hold is refused with CHANNEL_CHANGED. */
  ownChannelId?: number | null;
  /** The API key, within whose caps the price must stay; else API_KEY_CAP_REACHED. */
  apiKeyId?: number | null;
};
/** `settled`: this id was charged before for the same request; settling it again returns that charge. */
export type Held = { state: 'held' | 'settled'; quota: Quota; codePoints: number; billingMode: BillingMode };

/**
 * Charges a delivered translation: the hold becomes an entry of the ledger and a line of the translation log. `delivered`: only a part
 * was delivered, or by a cheaper channel; the rest of the hold is released.
 */
export type Settle = Addressed & { usage: Usage; delivered?: Delivered };
/** `charged`: characters for text, minutes for voice, pictures for images; 0 for text in time mode. */
export type Settled = { charged: number; entrySeq: number };

/** Releases the hold of a failed or abandoned translation; `usage` adds a failed line to the log. */
export type Release = Addressed & { usage: Usage | null };
/** `settled`: this id was charged already and stays charged. */
export type Released = { state: 'released' | 'settled' };

/**
 * Adds a line to the translation log without a charge or an entry. `free`: a word gloss (decisions §4) or a cached translation; null:
 * the failed part of a batch.
 */
export type Note = Addressed & { codePoints: number; usage: Usage; free: 'memory' | 'gloss' | null };

/**
 * One command of the queue. `withMain`: the retry of a sub-account's hold that lacked characters; it locks the main account too, which
 * may share some (decisions §4).
 */
export type Command =
  | ({ do: 'hold'; withMain?: true } & Hold)
  | ({ do: 'settle' } & Settle)
  | ({ do: 'release' } & Release)
  | ({ do: 'note' } & Note);

export type Outcome = Held | Settled | Released | null;
