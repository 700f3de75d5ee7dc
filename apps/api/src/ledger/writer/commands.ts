import type { Ask, Quota } from '@yiqiao/domain/ledger';
import type { ClientType } from '@yiqiao/domain/members';
import type { BillingMode } from '@yiqiao/domain/plans';
import type { Delivered } from '@yiqiao/domain/quotes';

/** What every command of the hot path says: its own id (a UUID, v7 keeps the indexes small) and whose account it touches. */
type Addressed = { id: string; userId: number; familyId: number };

/** Who translated what through which channel: the translation log's line, never the text itself (specification §3). */
export type Usage = {
  tranChannelId: number;
  ip: string;
  clientType: ClientType;
  source: string;
  target: string;
  /** The member's own translation configuration, when one was used. */
  configId?: number | null;
};

/** Reserves what `ask` costs. The id names the whole translation: settle and release repeat it. */
export type Hold = Addressed & {
  ask: Ask;
  /** The member's own channel as it was read: characters are worth what it says. Another one meanwhile: CHANNEL_CHANGED. */
  ownChannelId?: number | null;
};
/** `settled`: this id was charged before, for this, and settling it again answers the first charge. */
export type Held = { state: 'held' | 'settled'; quota: Quota; codePoints: number; billingMode: BillingMode };

/**
 * The channel delivered: the reservation becomes an entry of the ledger and a line of the translation log. `delivered`: only this part
 * of what was asked, or by a cheaper channel: the rest is given back.
 */
export type Settle = Addressed & { usage: Usage; delivered?: Delivered };
/** `charged`: characters for text, minutes for voice, pictures for images; 0 for text in time mode. */
export type Settled = { charged: number; entrySeq: number };

/** The channel failed or nothing was asked of it: the reservation is given back; `usage` adds a failed line to the log. */
export type Release = Addressed & { usage: Usage | null };
/** `settled`: too late, this id was charged and stays charged. */
export type Released = { state: 'released' | 'settled' };

/**
 * A line of the translation log about a text, without a charge and without an entry. `free`: why it cost nothing, a word gloss
 * (decisions §4) or a remembered translation; null: the part of a batch that failed.
 */
export type Note = Addressed & { codePoints: number; usage: Usage; free: 'memory' | 'gloss' | null };

/**
 * One command on its way to the database. `withMain`: a sub-account's hold that was refused for characters is asked again with its
 * main account, which may share some (decisions §4).
 */
export type Command =
  | ({ do: 'hold'; withMain?: true } & Hold)
  | ({ do: 'settle' } & Settle)
  | ({ do: 'release' } & Release)
  | ({ do: 'note' } & Note);

export type Outcome = Held | Settled | Released | null;
