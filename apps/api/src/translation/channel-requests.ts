import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import { codePoints, hasVisible } from '@yiqiao/domain/members';
import type { Register } from '@yiqiao/domain/formality';
import type { TextFormat } from '@yiqiao/domain/text-formats';
import type { Caller, ClientInfo } from '../platform/endpoint.js';
import type { ChannelView } from './channel-view.js';
import { ChannelFailure } from './channels/channel.js';
import { Markup } from './markup/markup.js';
import { routeTexts } from './markup/route-markup.js';
import type { AskedPair, Languages } from './resolve-languages.js';
import type { Routed, RoutedOutcome, Router } from './routing/router.js';

/** A translation request without its texts: the pair, the channels, the caller and the command id. */
export type TranslationRequest = {
  readonly id: string;
  readonly pair: AskedPair;
  readonly choice: ChannelView;
  readonly caller: Caller;
  readonly client: ClientInfo;
  /** Translate again, even what the memory holds. */
  readonly fresh?: boolean;
  /** Of its texts; `text` without one. */
  readonly format?: TextFormat;
  readonly register?: Register | undefined;
};

/** A text as it is read: its size is that of what is translated. `markup` null: it has none. */
type ReadText = { readonly text: string; readonly codePoints: number; readonly markup: Markup | null };

/** Null: there is nothing to translate in it. */
export async function readText(text: string, format: TextFormat = 'text'): Promise<ReadText | null> {
  if (format === 'text') return hasVisible(text) ? { text, codePoints: codePoints(text), markup: null } : null;
  const markup = await Markup.read(text, format);
  return markup && { text, codePoints: markup.codePoints, markup };
}

/** One text of a request, with its size and languages. */
export type Item = Omit<ReadText, 'markup'> & { readonly markup?: Markup | null; readonly languages: Languages };

/** `source`: given or detected; `sure`: given, or detected beyond doubt by us or by the channel. */
export type Answer = Routed & { readonly source: string; readonly sure: boolean };

export type Answered = { readonly item: Item; readonly answer: Answer };
export type Refused = { readonly item: Item; readonly refusal: Refusal };

/** Sends all texts at once, grouped by source language. One outcome per item, in order; never throws for a text. */
export async function requestTranslations(
  router: Router,
  {
    caller: { familyId },
    client: { requestId },
    choice: { glossary },
    register,
  }: Pick<TranslationRequest, 'caller' | 'client' | 'choice' | 'register'>,
  items: readonly Item[],
): Promise<readonly (Answered | Refused)[]> {
  const outcomes = new Map<Item, Answered | Refused>();
  const groups = Map.groupBy(items, ({ languages }) => languages.source);
  const pending = Array.from(groups, async ([source, group]) => {
    const [first] = group;
    if (!first) return;
    const { route: channels, target } = first.languages;
    // Where the channel detects the source, our guess selects the glossary.
    const guessed =
      source ??
      (group.every(({ languages: { guess } }) => guess === first.languages.guess) ? first.languages.guess : null);
    const terms = guessed === null ? null : glossary.terms(guessed, target);
    const asked = { familyId, requestId, channels, source, target, terms, register };
    const routed = await routeTexts(router, asked, group);
    for (const [at, item] of group.entries()) outcomes.set(item, outcomeOf(item, routed[at]));
  });
  await Promise.all(pending);
  return items.map((item) => outcomes.get(item) ?? { item, refusal: new Refusal('UPSTREAM_FAILED') });
}

/** Turns a channel's outcome into an answer or a refusal. */
export function outcomeOf(item: Item, outcome: RoutedOutcome | undefined): Answered | Refused {
  const { languages } = item;
  if (outcome === undefined || outcome instanceof ChannelFailure)
    return { item, refusal: refusalFor(outcome ?? { kind: 'unavailable', retryAfterMs: null }, languages) };
  const found = languages.source ?? outcome.detected;
  if (found === languages.target)
    return { item, refusal: new Refusal('SAME_LANGUAGE', { data: { source: languages.target } }) };
  // A gloss is never shown or billed as a translation (decisions §4).
  if (outcome.quality !== languages.quality) return { item, refusal: unsupported(languages) };
  const source = found ?? languages.guess ?? 'auto';
  return { item, answer: { ...outcome, source, sure: languages.sure || outcome.detected !== null } };
}

function refusalFor(
  { kind, retryAfterMs }: Pick<ChannelFailure, 'kind' | 'retryAfterMs'>,
  languages: Languages,
): Refusal {
  if (kind === 'unsupported') return unsupported(languages);
  if (retryAfterMs === null) return new Refusal(REFUSALS[kind]);
  return new Refusal(REFUSALS[kind], { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1_000)) });
}

const unsupported = ({ guess, target }: Languages): Refusal =>
  new Refusal('PAIR_NOT_SUPPORTED', { data: { source: guess, target } });

const REFUSALS = {
  timeout: 'UPSTREAM_TIMEOUT',
  unavailable: 'UPSTREAM_FAILED',
  'bad-answer': 'NOT_TRANSLATED',
  blocked: 'CONTENT_REFUSED',
  crowded: 'TOO_MANY_REQUESTS',
  busy: 'SERVICE_BUSY',
} as const satisfies Record<Exclude<ChannelFailure['kind'], 'unsupported'>, ErrorCode>;
