import type { PairTerms } from '@yiqiao/domain/glossary';
import type { VendorFailure } from '../channels/vendor.js';
import type { Time } from './time.js';
import type { Upstream } from './upstream.js';
import type { UpstreamChoice } from './upstream-choice.js';

/** What one request of a member asks of a channel's upstreams, in however many parts. */
export type Errand = {
  readonly source: string | null;
  readonly target: string;
  readonly signal: AbortSignal;
  /** Milliseconds since 1970. */
  readonly deadline: number;
  /** The accounts that can do this pair. */
  readonly upstreams: readonly Upstream[];
  /** Whose it is. */
  readonly family: number;
  /** What the vendor itself is to see to. */
  readonly terms?: PairTerms | null | undefined;
  /** How long it may wait for upstreams whose breakers are open, in milliseconds. */
  readonly recoveryMs: number;
  /** Those that have failed this errand: they are asked for no part of it any more, unless that passes. */
  readonly failed: Map<Upstream, Setback>;
  /** Those that have not answered this errand in half of their time: others are asked first from then on. */
  readonly slow: Set<Upstream>;
  /** Who failed how, for the log. */
  readonly attempts: Set<string>;
};

export type Setback = {
  /** How often it was asked again in vain. */
  readonly retries: number;
  /** When it may be asked again: milliseconds since 1970; Infinity: never. */
  readonly readyAt: number;
};

/** What a channel's errands share. */
export type Ways = { readonly choice: UpstreamChoice; readonly time: Time };

/** A piece is what goes to a vendor as one text: a text of a member, or a part of one. `detected`: a langCode. */
export type PieceAnswer = { readonly text: string; readonly detected: string | null };
export type PieceOutcome = PieceAnswer | VendorFailure;
