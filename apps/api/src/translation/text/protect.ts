import type { TermIndex } from '@yiqiao/domain/glossary';
import { findLinks, findProtected } from './find-protected.js';
import { needsBlankAfter, needsBlankBefore, needsBlankBetween } from './joints.js';
import { LIKE_A_MASK, maskOf, masksOf, readMasks } from './masks.js';
import type { Span } from './spans.js';

/** A text with masks in it (masks.ts), and what is to stand for each in the answer: for mask number i `pieces[i]`. */
export type Protected = { readonly masked: string; readonly pieces: readonly string[] };

export const protect = (text: string): Protected => masked(text, findProtected(text));

/** The same with the terms of a glossary, for which their translations are to stand. */
export const protectTerms = (text: string, terms: TermIndex): Protected => masked(text, spansWith(text, terms));

/** The terms alone, and what could be taken for a mask: for engines that know by themselves what else must survive. */
export const protectOnlyTerms = (text: string, terms: TermIndex): Protected => {
  const like = Array.from(text.matchAll(LIKE_A_MASK), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }));
  const kept = spansWith(text, terms);
  return masked(
    text,
    kept.filter((span) => span.instead !== undefined || like.some((one) => overlap(one, span))),
  );
};

/** `instead`: what is to stand in its place; itself otherwise. */
type Kept = Span & { readonly instead?: string };

const spansWith = (text: string, terms: TermIndex): readonly Kept[] => {
  const fixed = findProtected(text);
  const found = terms.find(text, fixed).map(({ start, end, translation }) => ({ start, end, instead: translation }));
  // A term may hold all of what is protected: then it stands for that, too.
  const others = fixed.filter((span) => !found.some((term) => overlap(term, span)));
  return [...others, ...found].sort((a, b) => a.start - b.start);
};

const overlap = (one: Span, other: Span): boolean => one.start < other.end && other.start < one.end;

const masked = (text: string, spans: readonly Kept[]): Protected => {
  const pieces: string[] = [];
  let written = '';
  let end = 0;
  for (const span of spans) {
    written += text.slice(end, span.start) + maskOf(pieces.length);
    pieces.push(span.instead ?? text.slice(span.start, span.end));
    end = span.end;
  }
  return { masked: written + text.slice(end), pieces };
};

/** Whether there is anything to translate around what is protected. */
export const hasWords = (text: string): boolean => /\p{L}/u.test(text) && /\p{L}/u.test(protect(text).masked);

/**
 * The pieces put back where their masks came out. `lost`: each piece that came out less or more often than it went in, each link that the
 * words around it made longer, and each mask that never was; the text then is the best that can be made of it.
 */
export const restore = (
  answer: string,
  { masked, pieces }: Protected,
): { readonly text: string; readonly lost: readonly string[] } => {
  const balance = counted(pieces);
  const source = masksOf(masked).map((mask) => besideOf(masked, mask));
  const placed: (Span & { readonly piece: string })[] = [];
  let text = '';
  let end = 0;
  for (const mask of readMasks(answer, pieces.length)) {
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

/** As far as it matters what stands next to a mask. */
const BESIDE = 8;

const besideOf = (text: string, { start, end }: Span): { readonly before: string; readonly after: string } => ({
  before: text.slice(Math.max(0, start - BESIDE), start),
  after: text.slice(end, end + BESIDE),
});

/** The pieces that are part of a longer link now. Both in the order of the text. */
const outgrown = (text: string, placed: readonly (Span & { readonly piece: string })[]): string[] => {
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

/** Which of the `pieces` a translation made without masks does not have as often as its source. */
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

const linksFor = (piece: string, links: readonly Span[]): readonly Span[] => (isLink(piece) ? links : []);

const counted = (pieces: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
};

// A number inside a longer number is another number, and a link inside a longer link another link.
const occurrences = (text: string, piece: string, links: readonly Span[]): number => {
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
