import { phraseFor } from './phrase-book.js';
import { isDense, piecesOf, type Piece } from './pieces.js';
import { scriptOf } from './scripts.js';
import { pseudoWord } from './words.js';
import type { Language } from './language.js';

/** Into what, and whose words: every vendor has its own. */
export interface Manner {
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
export function pseudoTranslation(text: string, manner: Manner): string {
  const parts: string[] = [];
  for (const clause of clausesOf(piecesOf(text))) {
    const [head, core, tail] = trimmed(clause);
    parts.push(joined(head), phraseFor(core, manner) ?? wordByWord(core, manner), joined(tail));
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

function wordByWord(pieces: readonly Piece[], manner: Manner): string {
  const { spaced } = scriptOf(manner.target.script);
  let made = '';
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === 'word') made += wordsFor(piece.text, manner, spaced ? ' ' : '');
    // One space between two words is the source's way of writing, not its layout.
    else if (spaced || piece.text !== ' ' || !isBetweenWords(pieces, index)) made += piece.text;
  }
  return made;
}

const isBetweenWords = (pieces: readonly Piece[], index: number): boolean =>
  pieces[index - 1]?.kind === 'word' && pieces[index + 1]?.kind === 'word';

function wordsFor(word: string, manner: Manner, gap: string): string {
  if (!isDense(word)) return pseudoWord(word, manner);
  const words: string[] = [];
  const signs = Array.from(word);
  for (let at = 0; at < signs.length; at += DENSE_WORD) {
    words.push(pseudoWord(signs.slice(at, at + DENSE_WORD).join(''), manner));
  }
  return words.join(gap);
}
