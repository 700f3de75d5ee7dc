import type { PairTerms } from '@yiqiao/domain/glossary';

/** What a channel answers with: a translation, or a word-by-word gloss that must never be shown or billed as one (decisions §4). */
export type Quality = 'translation' | 'gloss';

/**
 * What the reader of an answer must be told. `VIA`: made in two steps through the language `via` (a langCode), so errors add up.
 * `LOST`: what had to survive as it is (an address, a number, a placeholder …) and did not, even at the second try.
 */
export type TextWarning =
  | { readonly code: 'GLOSS' }
  | { readonly code: 'VIA'; readonly via: string }
  | { readonly code: 'LOST'; readonly lost: readonly string[] };

export type TextRequest = {
  /** Exactly as sent: 1–50 texts of together 1–5,000 code points, never trimmed (decisions §1, §7). */
  readonly texts: readonly string[];
  /** A langCode of `data/languages.json`, never equal to `target`. Null: the channel finds out (only when it says that it can). */
  readonly source: string | null;
  readonly target: string;
  /** Ends the wait. The caller sets the deadline (15 s for text, decisions §7). */
  readonly signal: AbortSignal;
  /** When `signal` fires at the latest: milliseconds since 1970, by the clock of `routing/time.ts`. */
  readonly deadline: number;
  /** Whose request it is: where there is a queue, families have their turns one after the other. */
  readonly familyId?: number;
  /** How the member wants some words translated. */
  readonly terms?: PairTerms | null | undefined;
  /** Another channel stands by: this one need not wait until an account of its own works again. */
  readonly hasStandIn?: boolean;
};

export type TextAnswer = {
  readonly translated: string;
  readonly quality: Quality;
  readonly warning: TextWarning | null;
  /** The langCode that the channel found, when it was asked to; null when it does not say. */
  readonly detected: string | null;
};

/** What became of one text of a request. */
export type TextOutcome = TextAnswer | ChannelFailure;

/** A sentence for people in both languages of the product. */
export type Bilingual = { readonly zh: string; readonly en: string };

/** `reason` is null when nothing is missing. An available channel may carry a reason too: then it works in part, and `install` mends it. */
export type Availability = {
  readonly available: boolean;
  /** The channel speaks to the sandbox, not to the vendor: its name is marked (decisions §8). */
  readonly sandbox?: boolean;
  readonly reason: Bilingual | null;
  readonly install?: string;
};

/** `auto`: the channel can find out the source by itself. */
export type ChannelLanguages = {
  readonly sources: ReadonlySet<string>;
  readonly targets: ReadonlySet<string>;
  readonly auto: boolean;
};

/** One way of translating text. Its two kinds are the offline engines and the vendors; nothing else may know which is which. */
export interface TextChannel {
  availability(): Promise<Availability>;
  /** What `source` → `target` would be answered with now, or null when the channel cannot do the pair. Ask before holding quota. */
  supports(source: string, target: string): Promise<Quality | null>;
  /** Every langCode that some supported pair has on either side. */
  languages(): Promise<ChannelLanguages>;
  /** One outcome per text, in their order; never throws. An answer is never blank for a text that is not. */
  translate(request: TextRequest): Promise<readonly TextOutcome[]>;
  /** Removes what was told outside of a family's terms, but for `current`. Throws when that did not work everywhere. */
  keepOnlyTerms?(familyId: number, current: readonly PairTerms[]): Promise<void>;
  /** Ends what the channel keeps running. Requests in flight fail as unavailable. */
  close(): Promise<void>;
}

/**
 * - `timeout`: the caller's signal fired, or the engine did not answer in time;
 * - `unavailable`: the engine is missing, closed, or died on this text twice;
 * - `unsupported`: the channel does not do this pair (now);
 * - `bad-answer`: it answered something that is no translation, and cannot be given to a member;
 * - `blocked`: its content policy refuses this text;
 * - `crowded`: the member's own requests wait for the channel as long as a request may; `retryAfterMs` says when there may be room;
 * - `busy`: so many requests of all members wait for the channel that one more would come too late.
 */
export type ChannelFailureKind =
  'timeout' | 'unavailable' | 'unsupported' | 'bad-answer' | 'blocked' | 'crowded' | 'busy';

/** The one error of a channel. Its message is for the log of the operator, not for members, and never contains the text. */
export class ChannelFailure extends Error {
  override readonly name = 'ChannelFailure';

  /** Who was asked and how each failed, for the log: `google/one timeout`. */
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
