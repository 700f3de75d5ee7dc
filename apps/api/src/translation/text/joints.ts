/**
 * Where a restored piece meets the words around it. Chinese needs no blank around a link, so that its mask has none either; a translation
 * into a language that does may put a word right behind it, which would then be part of the link.
 */
import { findLinks } from './find-protected.js';

/** What stands next to a piece, in the answer and next to its mask in the source: the few characters nearest to it. */
export type Beside = { readonly here: string; readonly source: string };

/** What a piece is at one end; null: it may touch anything (a tag, an emoji, a placeholder in braces). */
type Edge = 'link' | 'name' | 'number' | null;

export const needsBlankBefore = (piece: string, { here, source }: Beside): boolean => {
  const letters = lettersAt(ENDS, here);
  if (letters !== 'spaced' || lettersAt(ENDS, source) === letters) return false;
  const edge = leftOf(piece);
  return edge === 'number' ? !/\p{Script=Hang}$|(?<![\p{L}\p{M}])\p{L}$/u.test(here) : edge !== null;
};

export const needsBlankAfter = (piece: string, { here, source }: Beside): boolean => {
  const letters = lettersAt(STARTS, here);
  if (letters === null || lettersAt(STARTS, source) === letters) return false;
  const edge = rightOf(piece);
  if (letters === 'spaced') return edge === 'number' ? !SUFFIX.test(here) : edge !== null;
  return edge === 'name' || (edge === 'link' && OPEN_END.test(piece));
};

/** Two pieces that the translation put side by side: 5 and 6 are not 56. */
export const needsBlankBetween = (left: string, right: string): boolean =>
  rightOf(left) !== null && leftOf(right) !== null;

// Korean particles follow numbers at once; 1st, 5s, 3D and Q3 are written like that.
const SUFFIX = /^(?:\p{Script=Hang}|(?:\p{L}|st|nd|rd|th)(?![\p{L}\p{M}]))/u;
/** Behind these a path goes on in any script. */
const OPEN_END = /[/=?&#_.-]$/;

const leftOf = (piece: string): Edge => {
  if (findLinks(piece)[0]?.start === 0) return 'link';
  if (/^[@＠]/u.test(piece)) return 'name';
  if (lettersAt(STARTS, piece) === 'unspaced') return null;
  return /^[\p{L}\p{N}\p{Sc}+−±.%-]/u.test(piece) ? 'number' : null;
};

const rightOf = (piece: string): Edge => {
  if (findLinks(piece).at(-1)?.end === piece.length) return 'link';
  if (/[@＠][\p{L}\p{M}\p{N}_.·-]{1,64}$/u.test(piece)) return 'name';
  if (lettersAt(ENDS, piece) === 'unspaced') return null;
  return /[\p{L}\p{N}\p{Sc}%％‰]$/u.test(piece) ? 'number' : null;
};

/** Scripts that need no blanks between words. */
const UNSPACED = [
  'Hani',
  'Hira',
  'Kana',
  'Bopo',
  'Thai',
  'Laoo',
  'Khmr',
  'Mymr',
  'Tibt',
  'Java',
  'Bali',
  'Yiii',
  'Lana',
]
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
// What is left of an emoji is no letter.
const LETTER = String.raw`(?![\ufe0e\ufe0f\u20e3])[\p{L}\p{M}\p{N}]`;

type Place = { readonly spaced: RegExp; readonly unspaced: RegExp };
const STARTS: Place = {
  spaced: new RegExp(`^(?![${UNSPACED}])${LETTER}`, 'u'),
  unspaced: new RegExp(`^(?=[${UNSPACED}])${LETTER}`, 'u'),
};
const ENDS: Place = {
  spaced: new RegExp(`(?![${UNSPACED}])${LETTER}$`, 'u'),
  unspaced: new RegExp(`(?=[${UNSPACED}])${LETTER}$`, 'u'),
};

const lettersAt = ({ spaced, unspaced }: Place, text: string): 'spaced' | 'unspaced' | null =>
  spaced.test(text) ? 'spaced' : unspaced.test(text) ? 'unspaced' : null;
