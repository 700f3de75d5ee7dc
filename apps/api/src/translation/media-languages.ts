import { Refusal } from '@yiqiao/domain/errors';
import { type AskedPair, type Candidates, inFull, type Languages, resolveLanguages } from './resolve-languages.js';

/**
 * What a picture's or a recording's text will be translated from and into. `text`: what was read; null before anything was, when only
 * what is known without it can be refused. Answers null for that as long as the source is to be found out.
 *
 * Throws SAME_LANGUAGE, PAIR_NOT_SUPPORTED, LANGUAGE_NOT_DETECTED, or ONLY_GLOSS: a gloss helps in a list of words, and would look like a
 * translation anywhere else.
 */
export async function mediaLanguages(text: string, pair: AskedPair, candidates: Candidates): Promise<Languages>;
export async function mediaLanguages(text: null, pair: AskedPair, candidates: Candidates): Promise<Languages | null>;
export async function mediaLanguages(
  text: string | null,
  pair: AskedPair,
  candidates: Candidates,
): Promise<Languages | null> {
  if (pair.source === null && text === null) return refuseUnknownTarget(pair, candidates);
  const languages = await resolveLanguages(text ?? '', pair, candidates);
  const full = await inFull(languages, candidates);
  if (!full) throw new Refusal('ONLY_GLOSS', { data: { source: languages.guess, target: pair.target } });
  return full;
}

/** A target that nobody translates into is known before anything is read. */
async function refuseUnknownTarget({ target }: AskedPair, candidates: Candidates): Promise<null> {
  for (const { channel } of candidates) if ((await channel.languages()).targets.has(target)) return null;
  throw new Refusal('PAIR_NOT_SUPPORTED', { data: { source: null, target } });
}
