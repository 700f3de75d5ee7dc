import { phraseFor } from './phrase-book.js';
import { isDense, piecesOf, type Piece } from './pieces.js';
import { scriptOf, type Script } from './scripts.js';
import type { Language } from './language.js';

/** Into what, and whose words: every vendor has its own. */
export interface TranslationStyle {
  readonly vendor: string;
  /** Position of the vendor among them: chooses between wordings of a phrase. */
  readonly wording: number;
  readonly source: Language;
  readonly target: Language;
}

/** Signs between which a part of a sentence is looked up in the phrase book. */
const BOUNDARY = /[,.!?;:，。！？；：、…؟،।]/u;

/** Signs of a dense script that make one word. */
const DENSE_WORD = 2;

/**
 * A translation made of nothing but the text: phrases of the book as they are said, everything else word by word in the target's script.
 * Digits, punctuation, white space, line breaks, addresses and masks stay where they are. The same text always comes out the same.
 */
export function pseudoTranslation(text: string, style: TranslationStyle): string {
  const parts: string[] = [];
  for (const clause of clausesOf(piecesOf(text))) {
    const [head, core, tail] = trimmed(clause);
    parts.push(joined(head), phraseFor(core, style) ?? wordByWord(core, style), joined(tail));
  }
  return parts.join('');
}

/** Boundaries and line breaks are clauses of their own. */
function clausesOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const clauses: Piece[][] = [[]];
  for (const piece of pieces) {
    const between = piece.kind === 'line' || (piece.kind === 'mark' && BOUNDARY.test(piece.text));
    if (between) clauses.push([piece], []);
    else clauses.at(-1)?.push(piece);
  }
  return clauses;
}

/** Without the white space and signs at both ends. */
function trimmed(clause: readonly Piece[]): readonly [readonly Piece[], readonly Piece[], readonly Piece[]] {
  const says = ({ kind }: Piece) => kind === 'word' || kind === 'kept';
  const first = clause.findIndex(says);
  const last = clause.findLastIndex(says);
  return first < 0 ? [clause, [], []] : [clause.slice(0, first), clause.slice(first, last + 1), clause.slice(last + 1)];
}

const joined = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

function wordByWord(pieces: readonly Piece[], style: TranslationStyle): string {
  const { spaced } = scriptOf(style.target.script);
  let made = '';
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'word') made += wordsFor(piece.text, style, spaced ? ' ' : '');
    // One space between two words is the source's way of writing, not its layout.
    else if (spaced || piece.text !== ' ' || !isBetweenWords(pieces, index)) made += piece.text;
  }
  return made;
}

const isBetweenWords = (pieces: readonly Piece[], index: number): boolean =>
  pieces[index - 1]?.kind === 'word' && pieces[index + 1]?.kind === 'word';

function wordsFor(word: string, style: TranslationStyle, gap: string): string {
  if (!isDense(word)) return pseudoWord(word, style);
  const words: string[] = [];
  const signs = Array.from(word);
  for (let at = 0; at < signs.length; at += DENSE_WORD) {
    words.push(pseudoWord(signs.slice(at, at + DENSE_WORD).join(''), style));
  }
  return words.join(gap);
}

/** Endings that let a word look a little like its language. */
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

/** What a vendor makes of one word: always the same, in the target's script, never the word itself. */
export function pseudoWord(word: string, { vendor, target }: { vendor: string; target: Language }): string {
  const script = scriptOf(target.script);
  const roll = dice(`${vendor}|${target.tag}|${word.toLowerCase()}`);
  const count = Math.max(1, Math.round(weightOf(word) * script.perWeight));
  let made = '';
  for (let index = 0; index < count; index += 1) made += pick(script.syllables, roll);
  const endings = script.cased && count > 1 ? ENDINGS[target.base] : undefined;
  if (endings) made += pick(endings, roll);
  if (made.toLowerCase() === word.toLowerCase()) made += pick(script.syllables, roll);
  return likeCased(made, word, script);
}

function likeCased(made: string, word: string, script: Script): string {
  if (!script.cased || !/^\p{Lu}/u.test(word)) return made;
  if (word.length > 1 && word === word.toUpperCase()) return made.toUpperCase();
  return made.charAt(0).toUpperCase() + made.slice(1);
}

/** How much there is to say in a word: signs of a dense script or of Hangul, or two to three letters. */
function weightOf(word: string): number {
  if (isDense(word)) return word.length;
  return /^\p{sc=Hang}/u.test(word) ? word.length : word.length / 2.5;
}

function pick(from: readonly string[], roll: () => number): string {
  return from[roll() % from.length] ?? '';
}

/** Numbers that follow from a text: FNV-1a for the first, then xorshift. */
function dice(seed: string): () => number {
  let state = 0x811c9dc5;
  for (let index = 0; index < seed.length; index += 1) state = Math.imul(state ^ seed.charCodeAt(index), 0x01000193);
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}
