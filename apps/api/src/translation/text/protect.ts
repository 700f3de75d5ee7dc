import { findProtected } from './find-protected.js';
import { maskOf, readMasks } from './masks.js';

/** A text with masks in it (masks.ts), and what stands behind each: mask number i is `pieces[i]`. */
export type Protected = { readonly masked: string; readonly pieces: readonly string[] };

export const protect = (text: string): Protected => {
  const pieces: string[] = [];
  let masked = '';
  let end = 0;
  for (const span of findProtected(text)) {
    masked += text.slice(end, span.start) + maskOf(pieces.length);
    pieces.push(text.slice(span.start, span.end));
    end = span.end;
  }
  return { masked: masked + text.slice(end), pieces };
};

/** Whether there is anything to translate around what is protected. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text) && /\p{L}/u.test(protect(text).masked);

/**
 * The pieces put back where their masks came out. `lost`: each piece that came out less or more often than it went in, and each mask that
 * never was; the text then is the best that can be made of it.
 */
export const restore = (
  answer: string,
  pieces: readonly string[],
): { readonly text: string; readonly lost: readonly string[] } => {
  const balance = counted(pieces);
  let text = '';
  let end = 0;
  for (const { start, end: after, index } of readMasks(answer, pieces.length)) {
    const piece = pieces[index] ?? answer.slice(start, after);
    balance.set(piece, (balance.get(piece) ?? 0) - 1);
    text += answer.slice(end, start) + piece;
    end = after;
  }
  const lost = Array.from(balance).filter(([, missing]) => missing !== 0);
  return { text: text + answer.slice(end), lost: lost.map(([piece]) => piece) };
};

/** Which of the `pieces` a translation made without masks does not have as often as its source. */
export const missingFrom = (translated: string, pieces: readonly string[]): readonly string[] => {
  const found = counted(protect(translated).pieces);
  return Array.from(counted(pieces))
    .filter(([piece, count]) => (found.get(piece) ?? 0) < count && occurrences(translated, piece) < count)
    .map(([piece]) => piece);
};

const counted = (pieces: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
};

// A number inside a longer number is another number.
const occurrences = (text: string, piece: string): number => {
  let count = 0;
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length))
    if (!joins(text.charAt(at - 1), piece.charAt(0)) && !joins(piece.slice(-1), text.charAt(at + piece.length)))
      count += 1;
  return count;
};

const joins = (left: string, right: string): boolean => /\p{Nd}/u.test(left) && /\p{Nd}/u.test(right);
