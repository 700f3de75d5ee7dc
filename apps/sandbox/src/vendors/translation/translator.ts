import { translatePhrase } from './phrase-book.js';
import { isUnspaced, tokenize, type Token } from './tokenizer.js';
import { scriptOf, type Script } from './scripts.js';
import type { Language } from './language.js';

/** How to translate: languages, and the vendor, whose wording differs from the others. */
export interface TranslationStyle {
  readonly vendor: string;
  /** Index of the vendor: selects a variant of a phrase. */
  readonly wording: number;
  readonly source: Language;
  readonly target: Language;
}

/** Characters that delimit clauses; each clause is looked up in the phrase book. */
const BOUNDARY = /[,.!?;:，。！？；：、…؟،।]/u;

/** Characters that make one word in a script without spaces. */
const UNSPACED_WORD_LENGTH = 2;

/**
 * Deterministic pseudo-translation: known phrases from the phrase book, everything else word by word in the target's script.
 * Digits, punctuation, white space, line breaks, URLs and masks are kept.
 */
export function pseudoTranslation(text: string, style: TranslationStyle): string {
  const parts: string[] = [];
  for (const clause of clausesOf(tokenize(text))) {
    const [head, core, tail] = trimmed(clause);
    parts.push(joinTokens(head), translatePhrase(core, style) ?? wordByWord(core, style), joinTokens(tail));
  }
  return parts.join('');
}

/** Splits at clause boundaries and line breaks, which become clauses of their own. */
function clausesOf(pieces: readonly Token[]): readonly (readonly Token[])[] {
  const clauses: Token[][] = [[]];
  for (const piece of pieces) {
    const isBoundary = piece.kind === 'line' || (piece.kind === 'mark' && BOUNDARY.test(piece.text));
    if (isBoundary) clauses.push([piece], []);
    else clauses.at(-1)?.push(piece);
  }
  return clauses;
}

/** Separates leading and trailing white space and punctuation. */
function trimmed(clause: readonly Token[]): readonly [readonly Token[], readonly Token[], readonly Token[]] {
  const isContent = ({ kind }: Token) => kind === 'word' || kind === 'kept';
  const first = clause.findIndex(isContent);
  const last = clause.findLastIndex(isContent);
  return first < 0 ? [clause, [], []] : [clause.slice(0, first), clause.slice(first, last + 1), clause.slice(last + 1)];
}

const joinTokens = (pieces: readonly Token[]): string => pieces.map(({ text }) => text).join('');

function wordByWord(pieces: readonly Token[], style: TranslationStyle): string {
  const { spaced } = scriptOf(style.target.script);
  let made = '';
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'word') made += wordsFor(piece.text, style, spaced ? ' ' : '');
    // A script without spaces drops the single space between two words.
    else if (spaced || piece.text !== ' ' || !isBetweenWords(pieces, index)) made += piece.text;
  }
  return made;
}

const isBetweenWords = (pieces: readonly Token[], index: number): boolean =>
  pieces[index - 1]?.kind === 'word' && pieces[index + 1]?.kind === 'word';

function wordsFor(word: string, style: TranslationStyle, gap: string): string {
  if (!isUnspaced(word)) return pseudoWord(word, style);
  const words: string[] = [];
  const signs = Array.from(word);
  for (let at = 0; at < signs.length; at += UNSPACED_WORD_LENGTH) {
    words.push(pseudoWord(signs.slice(at, at + UNSPACED_WORD_LENGTH).join(''), style));
  }
  return words.join(gap);
}

/** Suffixes that make a word resemble its language. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  en: ['ing', 'ed', 'ly', 'er', 'th', 's', ''],
  fr: ['eau', 'ment', 'eux', 'é', 'ille', 'que', 's'],
  de: ['ung', 'lich', 'en', 'er', 'keit', 'st', 'ß'],
  es: ['ción', 'ado', 'dad', 'os', 'as', 'ño', 'a'],
  pt: ['ção', 'ado', 'dade', 'os', 'ões', 'nha', 'a'],
  it: ['zione', 'ato', 'tà', 'ello', 'issimo', 'gli', 'o'],
  vi: ['ng', 'ộ', 'ấn', 'ươ', 'nh', 'ả', 'ế'],
  id: ['kan', 'nya', 'an', 'lah', 'i', 'ng', 'u'],
  tr: ['lar', 'ler', 'ız', 'ığı', 'cı', 'mak', 'e'],
  pl: ['ość', 'ać', 'ski', 'ów', 'ę', 'nie', 'y'],
  ru: ['ение', 'ый', 'ать', 'ость', 'ов', 'ы', 'а'],
  uk: ['ення', 'ий', 'ати', 'ість', 'ів', 'і', 'а'],
};

/** Translates one word deterministically; never returns the word itself. */
export function pseudoWord(word: string, { vendor, target }: { vendor: string; target: Language }): string {
  const script = scriptOf(target.script);
  const roll = seededRandom(`${vendor}|${target.tag}|${word.toLowerCase()}`);
  const count = Math.max(1, Math.round(lengthInSyllables(word) * script.perWeight));
  let made = '';
  for (let index = 0; index < count; index += 1) made += pick(script.syllables, roll);
  const endings = script.cased && count > 1 ? ENDINGS[target.base] : undefined;
  if (endings) made += pick(endings, roll);
  if (made.toLowerCase() === word.toLowerCase()) made += pick(script.syllables, roll);
  return matchCase(made, word, script);
}

function matchCase(made: string, word: string, script: Script): string {
  if (!script.cased || !/^\p{Lu}/u.test(word)) return made;
  if (word.length > 1 && word === word.toUpperCase()) return made.toUpperCase();
  return made.charAt(0).toUpperCase() + made.slice(1);
}

/** Length of a word in syllables: characters of a script without spaces or of Hangul, or two to three letters each. */
function lengthInSyllables(word: string): number {
  if (isUnspaced(word)) return word.length;
  return /^\p{sc=Hang}/u.test(word) ? word.length : word.length / 2.5;
}

function pick(from: readonly string[], roll: () => number): string {
  return from[roll() % from.length] ?? '';
}

/** Random numbers seeded by a text: FNV-1a, then xorshift. */
function seededRandom(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
