import { Refusal } from '@yiqiao/domain/errors';
import type { Quality, TextChannel } from './channels/channel.js';
import { canonicalLanguage } from './channels/language-codes.js';
import { detectLanguage } from './detect-language.js';
import { hasWords } from './text/protect.js';

/** What is asked for, in the product's own codes. `source` null: it is to be found out. */
export type AskedPair = { readonly source: string | null; readonly target: string };

/** Reads the source alone, null for `auto`. Throws VALIDATION_FAILED for a language that does not exist. */
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

/** What one text will be translated from and into. */
export type Languages = {
  /** Null: left to the channel. */
  readonly source: string | null;
  /** The source as far as it is known before anybody was asked. */
  readonly guess: string | null;
  readonly target: string;
  readonly quality: Quality;
  /** Whether the source was told or the text left no doubt. */
  readonly sure: boolean;
  /** Who is asked first, then who may take over. */
  readonly route: readonly [number, ...number[]];
};

/** The channels that may serve, the one that was asked first. */
export type Candidate = { readonly id: number; readonly channel: TextChannel };
export type Candidates = readonly [Candidate, ...Candidate[]];

/**
 * Settles the source of a text and who can do the pair: detection of our own first; when that is not sure, the channel's, where it has
 * one. Throws LANGUAGE_NOT_DETECTED, SAME_LANGUAGE or PAIR_NOT_SUPPORTED: all before anything is held (decisions §4).
 */
export async function resolveLanguages(
  text: string,
  { source: told, target }: AskedPair,
  candidates: Candidates,
): Promise<Languages> {
  // Nothing in it has a language, and no channel could find one either.
  if (told === null && !hasWords(text)) throw new Refusal('LANGUAGE_NOT_DETECTED');
  const [{ channel }] = candidates;
  const known = await channel.languages();
  const { langCode: guess, sure } =
    told === null ? await detectLanguage(text, known.sources) : { langCode: told, sure: true };
  if (!sure && known.auto && known.targets.has(target))
    return { source: null, guess, target, quality: 'translation', sure, route: routeOf(candidates) };
  if (guess === null) throw new Refusal('LANGUAGE_NOT_DETECTED');
  if (guess === target) throw new Refusal('SAME_LANGUAGE', { data: { source: guess } });
  const quality = await channel.supports(guess, target);
  if (quality) return { source: guess, guess, target, quality, sure, route: routeOf(candidates) };
  // The channel that was asked cannot do it: to a member that is one more way of failing.
  const able = await ableOf(candidates, guess, target);
  if (!able) throw new Refusal('PAIR_NOT_SUPPORTED', { data: { source: guess, target } });
  return { source: guess, guess, target, quality: 'translation', sure, route: routeOf(able) };
}

/** The same where nobody wants a gloss: through the others that translate in full, null when there is none. */
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
