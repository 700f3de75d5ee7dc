import type { Register } from '@yiqiao/domain/formality';
import type { PairTerms } from '@yiqiao/domain/glossary';
import type { VendorUse } from '../../ledger/ledger.js';

/** The quality of a channel's answers: a translation, or a word-by-word gloss that must never be shown or billed as one (decisions §4). */
export type Quality = 'translation' | 'gloss';

/** The quality of a pair. `varies`: some texts are translated, others only glossed. */
export type PairQuality = Quality | 'varies';

/**
 * A warning about an answer. `VIA`: translated in two steps through the language `via` (a langCode), so errors add up. `LOST`: pieces that had
 * to stay unchanged (a link, a number, a placeholder …) and did not, even at the second try. `STAYED`: sentences of a text with markup that no
 * channel translated.
 */
export type TextWarning =
  | { readonly code: 'GLOSS' }
  | { readonly code: 'VIA'; readonly via: string }
  | { readonly code: 'LOST'; readonly lost: readonly string[] }
  | { readonly code: 'STAYED'; readonly stayed: readonly string[] };

export type TextRequest = {
  /** Exactly as sent: 1–50 texts of together 1–5,000 code points, never trimmed (decisions §1, §7). */
  readonly texts: readonly string[];
  /** A langCode of `data/languages.json`, never equal to `target`. Null: the channel detects it (only if it can: `auto`). */
  readonly source: string | null;
  readonly target: string;
  /** Ends the wait. The caller sets the deadline (15 s for text, decisions §7). */
  readonly signal: AbortSignal;
  /** `signal` fires no later: milliseconds since 1970, by the clock of `routing/time.ts`. */
  readonly deadline: number;
  /** The caller's family: families take turns in queues. */
  readonly familyId?: number;
  /** The family's glossary for this pair. */
  readonly terms?: PairTerms | null | undefined;
  /** Ignored by a channel that has none for the target. */
  readonly register?: Register | undefined;
  /** There is a fallback: the channel need not wait for the recovery of its accounts. */
  readonly hasStandIn?: boolean;
};

export type TextAnswer = {
  readonly translated: string;
  readonly quality: Quality;
  readonly warning: TextWarning | null;
  /** The langCode that the channel detected; null without detection. */
  readonly detected: string | null;
  /** The vendor's part; absent: it had none. */
  readonly vendor?: VendorUse | null;
};

/** The outcome of one text of a request. */
export type TextOutcome = TextAnswer | ChannelFailure;

/** A sentence in both languages of the product. */
export type Bilingual = { readonly zh: string; readonly en: string };

/** `reason` is null when nothing is missing. An available channel with a reason works in part, and `install` completes it. */
export type Availability = {
  readonly available: boolean;
  /** The sandbox stands in for the vendor: the channel's name is marked (decisions §8). */
  readonly sandbox?: boolean;
  readonly reason: Bilingual | null;
  readonly install?: string;
};

/** `auto`: the channel can detect the source. */
export type ChannelLanguages = {
  readonly sources: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
  readonly auto: boolean;
};

/** A text channel: the offline engines or a vendor. Callers must not distinguish them. */
export interface TextChannel {
  availability(): Promise<Availability>;
  /** The quality of `source` → `target` now, or null when the pair is not supported. */
  supports(source: string, target: string): Promise<PairQuality | null>;
  /** The quality with which `text` would be answered. Call before holding quota. */
  supports(source: string, target: string, text: string): Promise<Quality | null>;
  /** The langCodes of all supported pairs. */
  languages(): Promise<ChannelLanguages>;
  /** Whether it translates into `target` formally and informally, as it is asked. Absent: into no language. */
  hasRegisters?(target: string): boolean;
  /** One outcome per text, in order; never throws. The answer to a text that is not blank is never blank. */
  translate(request: TextRequest): Promise<readonly TextOutcome[]>;
  /** Removes a family's terms from the vendors, except `current`. Throws when that failed somewhere. */
  keepOnlyTerms?(familyId: number, current: readonly PairTerms[]): Promise<void>;
  /** Stops the channel's engines and connections. Requests in flight fail as unavailable. */
  close(): Promise<void>;
}

/**
 * - `timeout`: the caller's signal fired, or the engine did not answer in time;
 * - `unavailable`: the engine is missing, closed, or died on this text twice;
 * - `unsupported`: the channel does not support this pair (now);
 * - `bad-answer`: its answer is not a translation and cannot be shown to a member;
 * - `blocked`: its content policy refuses this text;
 * - `crowded`: the family's own queued requests would make this one too late; `retryAfterMs`: when there may be room;
 * - `busy`: the queued requests of all members would make this one too late.
 */
export type ChannelFailureKind =
  'timeout' | 'unavailable' | 'unsupported' | 'bad-answer' | 'blocked' | 'crowded' | 'busy';

/** The only error of a channel. Its message is for the operator's log, not for members, and never contains the text. */
export class ChannelFailure extends Error {
  override readonly name = 'ChannelFailure';

  /** The failed attempts, for the log: `google/one timeout`. */
  readonly attempts: readonly string[];
  readonly retryAfterMs: number | null;

  constructor(
    readonly kind: ChannelFailureKind,
    message: string,
    {
      attempts = [],
      retryAfterMs = null,
      ...options
    }: ErrorOptions & { readonly attempts?: readonly string[]; readonly retryAfterMs?: number | null } = {},
  ) {
    super(message, options);
    this.attempts = attempts;
    this.retryAfterMs = retryAfterMs;
  }
}
