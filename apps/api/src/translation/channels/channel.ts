/** What a channel answers with: a translation, or a word-by-word gloss that must never be shown or billed as one (decisions §4). */
export type Quality = 'translation' | 'gloss';

/** What the reader of an answer must be told. `VIA`: made in two steps through the language `via` (a langCode), so errors add up. */
export type TextWarning = { readonly code: 'GLOSS' } | { readonly code: 'VIA'; readonly via: string };

export type TextRequest = {
  /** Exactly as sent: 1–5,000 code points, never trimmed (decisions §1, §7). */
  readonly text: string;
  /** langCodes of `data/languages.json`; never `auto`, never equal. */
  readonly source: string;
  readonly target: string;
  /** Ends the wait. The caller sets the deadline (15 s for text, decisions §7). */
  readonly signal: AbortSignal;
};

export type TextAnswer = {
  readonly translated: string;
  readonly quality: Quality;
  readonly warning: TextWarning | null;
};

/** A sentence for people in both languages of the product. */
export type Bilingual = { readonly zh: string; readonly en: string };

/** `reason` is null when nothing is missing. An available channel may carry a reason too: then it works in part, and `install` mends it. */
export type Availability = {
  readonly available: boolean;
  readonly reason: Bilingual | null;
  readonly install?: string;
};

export type ChannelLanguages = { readonly sources: ReadonlySet<string>; readonly targets: ReadonlySet<string> };

/** One way of translating text. Its two kinds are the offline engines and the vendors; nothing else may know which is which. */
export interface TextChannel {
  availability(): Promise<Availability>;
  /** What `source` → `target` would be answered with now, or null when the channel cannot do the pair. Ask before holding quota. */
  supports(source: string, target: string): Promise<Quality | null>;
  /** Every langCode that some supported pair has on either side. */
  languages(): Promise<ChannelLanguages>;
  /** Throws {@link ChannelFailure} and nothing else; an answer is never blank for text that is not. */
  translate(request: TextRequest): Promise<TextAnswer>;
  /** Ends what the channel keeps running. Requests in flight fail as unavailable. */
  close(): Promise<void>;
}

/**
 * - `timeout`: the caller's signal fired, or the engine did not answer in time;
 * - `unavailable`: the engine is missing, closed, or died on this text twice;
 * - `unsupported`: the channel does not do this pair (now);
 * - `bad-answer`: it answered something that cannot be given to a member.
 */
export type ChannelFailureKind = 'timeout' | 'unavailable' | 'unsupported' | 'bad-answer';

/** The one error of a channel. Its message is for the log of the operator, not for members, and never contains the text. */
export class ChannelFailure extends Error {
  override readonly name = 'ChannelFailure';

  constructor(
    readonly kind: ChannelFailureKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
