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
  /** Those that have failed this errand: they are not asked again for any part of it. */
  readonly failed: Set<Upstream>;
};

/** What a channel's errands share. */
export type Ways = { readonly choice: UpstreamChoice; readonly time: Time };

/** A piece is what goes to a vendor as one text: a text of a member, or a part of one. `detected`: a langCode. */
export type PieceAnswer = { readonly text: string; readonly detected: string | null };
export type PieceOutcome = PieceAnswer | VendorFailure;
