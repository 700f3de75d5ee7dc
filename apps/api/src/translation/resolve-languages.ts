import { Refusal } from '@yiqiao/domain/errors';
import type { Quality, TextChannel } from './channels/channel.js';
import { canonicalLanguage } from './channels/language-codes.js';
import { detectLanguage } from './detect-language.js';
import type { Markup } from './markup/markup.js';
import { hasWords } from './text/protect.js';

/** The requested pair in the product's own codes. `source` null: to be detected. */
export type AskedPair = { readonly source: string | null; readonly target: string };

/** Reads only the source, null for `auto`. Throws VALIDATION_FAILED for a language that does not exist. */
export function readSource(source: string): string | null {
  const langCode = source === 'auto' ? null : canonicalLanguage(source);
  if (langCode === null && source !== 'auto')
    throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'source', code: 'LANGUAGE_UNKNOWN' }] });
  return langCode;
}

/** Reads the codes of a request, aliases included. Throws VALIDATION_FAILED for a language that does not exist. */
export function readPair(input: { source: string; target: string }): AskedPair {
  const source = input.source === 'auto' ? null : canonicalLanguage(input.source);
  const target = canonicalLanguage(input.target);
  const errors = [
    ...(source === null && input.source !== 'auto' ? [{ path: 'source', code: 'LANGUAGE_UNKNOWN' }] : []),
    ...(target === null ? [{ path: 'target', code: 'LANGUAGE_UNKNOWN' }] : []),
  ];
  if (target === null || errors.length > 0) throw new Refusal('VALIDATION_FAILED', { errors });
  return { source, target };
}

/** The languages of one text and the channels that translate it. */
export type Languages = {
  /** Null: the channel detects it. */
  readonly source: string | null;
  /** The source as far as it is known before the channel answers. */
  readonly guess: string | null;
  readonly target: string;
  readonly quality: Quality;
  /** The source was given, or detected beyond doubt. */
  readonly sure: boolean;
  /** The requested channel, then its fallbacks. */
  readonly route: readonly [number, ...number[]];
};

/** A channel that may serve; the requested one comes first. */
export type Candidate = { readonly id: number; readonly channel: TextChannel };
export type Candidates = readonly [Candidate, ...Candidate[]];

/**
 * Decides the source of a text and the channels that support the pair: our own detection first; when it is not sure, the channel's, where
 * it has one. Of a text with markup only the words count, and each of its sentences must be translated for a translation. Throws LANGUAGE_NOT_DETECTED, SAME_LANGUAGE or PAIR_NOT_SUPPORTED: all before anything is held (decisions §4).
 */
export async function resolveLanguages(
  { text: whole, markup }: { readonly text: string; readonly markup?: Markup | null },
  { source: told, target }: AskedPair,
  candidates: Candidates,
): Promise<Languages> {
  const text = markup?.words ?? whole;
  // No channel could detect a language in it either.
  if (told === null && !hasWords(text)) throw new Refusal('LANGUAGE_NOT_DETECTED');
  const [{ channel }] = candidates;
  const known = await channel.languages();
  const { langCode: guess, sure } =
    told === null ? await detectLanguage(text, known.sources) : { langCode: told, sure: true };
  if (!sure && known.auto && known.targets.has(target))
    return { source: null, guess, target, quality: 'translation', sure, route: routeOf(candidates) };
  if (guess === null) throw new Refusal('LANGUAGE_NOT_DETECTED');
  if (guess === target) throw new Refusal('SAME_LANGUAGE', { data: { source: guess } });
  const sentences = markup?.sentences.map(({ masked }) => masked) ?? [text];
  const quality = await qualityOf(channel, { source: guess, target }, sentences);
  if (quality) return { source: guess, guess, target, quality, sure, route: routeOf(candidates) };
  // An unsupported pair fails over like any other failure.
  const able = await ableOf(candidates, guess, target);
  if (!able) throw new Refusal('PAIR_NOT_SUPPORTED', { data: { source: guess, target } });
  return { source: guess, guess, target, quality: 'translation', sure, route: routeOf(able) };
}

/** The quality of the poorest of these texts. */
async function qualityOf(
  channel: TextChannel,
  { source, target }: { readonly source: string; readonly target: string },
  texts: readonly string[],
): Promise<Quality | null> {
  let found: Quality | null = null;
  for (const text of texts) {
    const quality = await channel.supports(source, target, text);
    if (quality !== 'translation') return quality;
    found = quality;
  }
  return found;
}

/** The same without glosses: through the fallbacks that translate in full, null when there is none. */
export async function inFull(languages: Languages, candidates: Candidates): Promise<Languages | null> {
  const { source, target, quality } = languages;
  if (quality === 'translation' || source === null) return languages;
  const able = await ableOf(candidates, source, target);
  return able && { ...languages, quality: 'translation', route: routeOf(able) };
}

const routeOf = ([first, ...others]: Candidates): readonly [number, ...number[]] => [
  first.id,
  ...others.map(({ id }) => id),
];

async function ableOf([, ...others]: Candidates, source: string, target: string): Promise<Candidates | null> {
  for (const [at, candidate] of others.entries())
    if ((await candidate.channel.supports(source, target)) === 'translation')
      return [candidate, ...others.slice(at + 1)];
  return null;
}

/**
 * The languages of a picture's or a recording's text. `text`: the recognised text; null before recognition, when the result is null as long
 * as the source must be detected.
 *
 * Throws SAME_LANGUAGE, PAIR_NOT_SUPPORTED, LANGUAGE_NOT_DETECTED, or ONLY_GLOSS: a gloss in a picture would be taken for a translation.
 */
export async function mediaLanguages(text: string, pair: AskedPair, candidates: Candidates): Promise<Languages>;
export async function mediaLanguages(text: null, pair: AskedPair, candidates: Candidates): Promise<Languages | null>;
export async function mediaLanguages(
  text: string | null,
  pair: AskedPair,
  candidates: Candidates,
): Promise<Languages | null> {
  if (pair.source === null && text === null) return refuseUnknownTarget(pair, candidates);
  const languages = await resolveLanguages({ text: text ?? '' }, pair, candidates);
  const full = await inFull(languages, candidates);
  if (!full) throw new Refusal('ONLY_GLOSS', { data: { source: languages.guess, target: pair.target } });
  return full;
}

/** A target that no channel supports is refused before anything is read. */
async function refuseUnknownTarget({ target }: AskedPair, candidates: Candidates): Promise<null> {
  for (const { channel } of candidates) if ((await channel.languages()).targets.has(target)) return null;
  throw new Refusal('PAIR_NOT_SUPPORTED', { data: { source: null, target } });
}
