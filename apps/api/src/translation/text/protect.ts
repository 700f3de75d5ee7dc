import type { TermIndex } from '@yiqiao/domain/glossary';
import { findLinks, findProtected } from './find-protected.js';
import { PLACEHOLDER_LIKE, placeholderOf, placeholdersOf, readPlaceholders } from './placeholders.js';
import type { TextRange } from './ranges.js';

/** A text with placeholders (placeholders.ts) and their replacements in the answer: `pieces[i]` for number i. */
export type Protected = { readonly masked: string; readonly pieces: readonly string[] };

export const protect = (text: string): Protected => masked(text, findProtected(text));

/** The same with the terms of a glossary, which are replaced by their translations. */
export const protectTerms = (text: string, terms: TermIndex): Protected => masked(text, spansWith(text, terms));

/** Only the terms and placeholder-like text, for engines that preserve everything else themselves. */
export const protectOnlyTerms = (text: string, terms: TermIndex): Protected => {
  const like = Array.from(text.matchAll(PLACEHOLDER_LIKE), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  const kept = spansWith(text, terms);
  return masked(
    text,
    kept.filter((span) => span.instead !== undefined || like.some((one) => overlap(one, span))),
  );
};

/** `instead`: its replacement in the answer; otherwise the piece itself. */
type Kept = TextRange & { readonly instead?: string };

const spansWith = (text: string, terms: TermIndex): readonly Kept[] => {
  const fixed = findProtected(text);
  const found = terms.find(text, fixed).map(({ start, end, translation }) => ({ start, end, instead: translation }));
  // A term may contain a protected piece completely: then it replaces that, too.
  const others = fixed.filter((span) => !found.some((term) => overlap(term, span)));
  return [...others, ...found].sort((a, b) => a.start - b.start);
};

const overlap = (one: TextRange, other: TextRange): boolean => one.start < other.end && other.start < one.end;

const masked = (text: string, spans: readonly Kept[]): Protected => {
  const pieces: string[] = [];
  let written = '';
  let end = 0;
  for (const span of spans) {
    written += text.slice(end, span.start) + placeholderOf(pieces.length);
    pieces.push(span.instead ?? text.slice(span.start, span.end));
    end = span.end;
  }
  return { masked: written + text.slice(end), pieces };
};

/** Whether there is anything to translate besides the protected pieces. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text) && /\p{L}/u.test(protect(text).masked);

/**
 * Replaces the placeholders with their pieces. `lost`: each piece that occurs less or more often than in the source, each link that the
 * words around it made longer, and each unknown placeholder; the text is then a best effort.
 */
export const restore = (
  answer: string,
  { masked, pieces }: Protected,
): { readonly text: string; readonly lost: readonly string[] } => {
  const balance = counted(pieces);
  const source = placeholdersOf(masked).map((mask) => besideOf(masked, mask));
  const placed: (TextRange & { readonly piece: string })[] = [];
  let text = '';
  let end = 0;
  for (const mask of readPlaceholders(answer, pieces.length)) {
    const piece = pieces[mask.index];
    const key = piece ?? answer.slice(mask.start, mask.end);
    balance.set(key, (balance.get(key) ?? 0) - 1);
    text += answer.slice(end, mask.start);
    end = mask.end;
    if (piece === undefined) {
      text += key;
      continue;
    }
    const here = besideOf(answer, mask);
    const there = source[mask.index] ?? here;
    const last = placed.at(-1);
    const touches = last !== undefined && last.end === text.length;
    if (
      touches
        ? needsBlankBetween(last.piece, piece)
        : needsBlankBefore(piece, { here: here.before, source: there.before })
    )
      text += ' ';
    placed.push({ start: text.length, end: text.length + piece.length, piece });
    text += piece;
    if (needsBlankAfter(piece, { here: here.after, source: there.after })) text += ' ';
  }
  text += answer.slice(end);
  const lost = new Set(Array.from(balance).flatMap(([piece, missing]) => (missing === 0 ? [] : [piece])));
  for (const piece of outgrown(text, placed)) lost.add(piece);
  return { text, lost: [...lost] };
};

/** How many characters next to a placeholder matter. */
const BESIDE = 8;

const besideOf = (text: string, { start, end }: TextRange): { readonly before: string; readonly after: string } => ({
  before: text.slice(Math.max(0, start - BESIDE), start),
  after: text.slice(end, end + BESIDE),
});

/** The pieces that have become part of a longer link. Both in the order of the text. */
const outgrown = (text: string, placed: readonly (TextRange & { readonly piece: string })[]): string[] => {
  const found: string[] = [];
  if (!placed.some(({ piece }) => isLink(piece))) return found;
  let next = 0;
  for (const { start, end } of findLinks(text)) {
    while ((placed[next]?.end ?? Infinity) <= start) next += 1;
    for (let at = next; (placed[at]?.start ?? Infinity) < end; at += 1) {
      const one = placed[at];
      if (one !== undefined && (start < one.start || end > one.end) && isLink(one.piece)) found.push(one.piece);
    }
  }
  return found;
};

const isLink = (piece: string): boolean => findLinks(piece).length > 0;

/** The `pieces` that occur less often in a translation made without placeholders than in its source. */
export const missingFrom = (translated: string, pieces: readonly string[]): readonly string[] => {
  const found = counted(protect(translated).pieces);
  const links = findLinks(translated);
  return Array.from(counted(pieces))
    .filter(
      ([piece, count]) =>
        (found.get(piece) ?? 0) < count && occurrences(translated, piece, linksFor(piece, links)) < count,
    )
    .map(([piece]) => piece);
};

const linksFor = (piece: string, links: readonly TextRange[]): readonly TextRange[] => (isLink(piece) ? links : []);

const counted = (pieces: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
};

// A number within a longer number is a different number; the same goes for links.
const occurrences = (text: string, piece: string, links: readonly TextRange[]): number => {
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length)) {
    const end = at + piece.length;
    const longer = links.some((link) => link.start < end && link.end > at && (link.start < at || link.end > end));
    if (!longer && !joins(text.charAt(at - 1), piece.charAt(0)) && !joins(piece.slice(-1), text.charAt(end)))
      count += 1;
  }
  return count;
};

const joins = (left: string, right: string): boolean => /\p{Nd}/u.test(left) && /\p{Nd}/u.test(right);

/**
 * The space between a restored piece and the words around it. Chinese needs no space around a link, so its placeholder has none either; a
 * translation into a language with spaces may put a word right behind it, which would become part of the link.
 */
/** The characters next to a piece, in the answer (`here`) and next to its placeholder in the source. */
type Beside = { readonly here: string; readonly source: string };

/** The kind of a piece at one end; null: it may touch anything (a tag, an emoji, a placeholder in braces). */
type Edge = 'link' | 'name' | 'number' | null;

const needsBlankBefore = (piece: string, { here, source }: Beside): boolean => {
  const letters = lettersAt(ENDS, here);
  if (letters !== 'spaced' || lettersAt(ENDS, source) === letters) return false;
  const edge = leftOf(piece);
  return edge === 'number' ? !/\p{Script=Hang}$|(?<![\p{L}\p{M}])\p{L}$/u.test(here) : edge !== null;
};

const needsBlankAfter = (piece: string, { here, source }: Beside): boolean => {
  const letters = lettersAt(STARTS, here);
  if (letters === null || lettersAt(STARTS, source) === letters) return false;
  const edge = rightOf(piece);
  if (letters === 'spaced') return edge === 'number' ? !SUFFIX.test(here) : edge !== null;
  return edge === 'name' || (edge === 'link' && OPEN_END.test(piece));
};

/** Whether two adjacent pieces need a space: 5 and 6 must not become 56. */
const needsBlankBetween = (left: string, right: string): boolean => rightOf(left) !== null && leftOf(right) !== null;

// Korean particles follow numbers without a space; 1st, 5s, 3D and Q3 are written so.
const SUFFIX = /^(?:\p{Script=Hang}|(?:\p{L}|st|nd|rd|th)(?![\p{L}\p{M}]))/u;
/** After these a path may continue in any script. */
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

/** Scripts without spaces between words. */
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
// The variation selectors and the keycap of an emoji are not letters.
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
