import { TermIndex } from '@yiqiao/domain/glossary';
import { findProtected } from './find-protected.js';
import { placeholdersOf } from './placeholders.js';
import { hasWords, missingFrom, protect, type Protected, protectTerms, restore } from './protect.js';
import { type Segment, split, type TextLimits } from './split.js';

/** `masked`: the first try. `plain`: the second try, without placeholders and line by line. Or one of them with the terms of a glossary. */
export type Strategy = 'masked' | 'plain' | TermStrategy;

/**
 * How the terms are applied: by placeholders that their translations replace (`mask`); by the vendor's glossary (`vendor`) or by its prompt,
 * whose result must be checked (`prompt`); or not at all (`plain`): missing ones are then `lost`.
 */
export type TermStrategy = { readonly terms: TermIndex; readonly by: 'mask' | 'vendor' | 'prompt' | 'plain' };

/** A text on its way to a vendor and back. */
type Prepared = {
  /** The texts for the vendor, in order: none blank, each within the limits. Empty: nothing to translate, `restore([])` is the text. */
  readonly pieces: readonly string[];
  /**
   * Joins the answers to the pieces (as many, in order) and restores white space and protected pieces. `lost`: protected pieces that are
   * missing or doubled; `\n` among them for line breaks.
   */
  restore(answers: readonly string[]): { readonly translated: string; readonly lost: readonly string[] };
};

/** With more lines than this the second try sends them together instead of one per request. */
const LINES_MAX = 50;

/** Takes any well-formed text and limits of at least one character. Never throws for those. */
export const prepare = (text: string, limits: TextLimits, strategy: Strategy): Prepared => {
  if (strategy === 'plain') return preparePlain(text, limits);
  if (strategy === 'masked') return prepareMasked(protect(text), limits);
  const { terms, by } = strategy;
  if (by === 'mask') return prepareMasked(protectTerms(text, terms), limits);
  if (by === 'vendor') return prepareMasked(protect(text), limits);
  const prepared = by === 'plain' ? preparePlain(text, limits) : prepareMasked(protect(text), limits);
  return { pieces: prepared.pieces, restore: (answers) => withMissing(prepared.restore(answers), text, terms) };
};

/** Adds terms whose translation is not in the answer at all: a second occurrence may rightly have become "it". */
const withMissing = (
  { translated, lost }: ReturnType<Prepared['restore']>,
  text: string,
  terms: TermIndex,
): ReturnType<Prepared['restore']> => {
  const wanted = new Set(terms.find(text, findProtected(text)).map(({ translation }) => translation));
  const missing = [...wanted].filter((translation) => !has(translated, translation));
  return { translated, lost: [...lost, ...missing] };
};

/** Ignores case, because sentences begin with capitals. */
const has = (text: string, translation: string): boolean => {
  const folded = (s: string): string => s.normalize('NFKC').toLowerCase();
  return folded(text).includes(folded(translation));
};

const prepareMasked = (guarded: Protected, limits: TextLimits): Prepared => {
  const stretches = split(guarded.masked, limits, placeholdersOf(guarded.masked));
  return {
    pieces: asked(stretches),
    restore(answers) {
      const { joined, broken } = join(stretches, answers);
      const { text: translated, lost } = restore(joined, guarded);
      return { translated, lost: broken ? [...lost, '\n'] : lost };
    },
  };
};

const preparePlain = (text: string, limits: TextLimits): Prepared => {
  const lines = linesOf(text);
  const parts = lines.filter((line) => line.trim() !== '').length <= LINES_MAX ? lines : [text];
  const stretches = parts.flatMap((part) => splitPlain(part, limits));
  return {
    pieces: asked(stretches),
    restore(answers) {
      const { joined, broken } = join(stretches, answers);
      const lost = missingFrom(joined, protect(text).pieces);
      return { translated: joined, lost: broken ? [...lost, '\n'] : lost };
    },
  };
};

// A segment that is only a link has letters, too, but is not sent.
const splitPlain = (part: string, limits: TextLimits): Segment[] =>
  split(part, limits, findProtected(part)).map((stretch) =>
    stretch.asked && !hasWords(stretch.text) ? { ...stretch, asked: false } : stretch,
  );

const asked = (stretches: readonly Segment[]): string[] =>
  stretches.filter((stretch) => stretch.asked).map((stretch) => stretch.text);

const join = (
  stretches: readonly Segment[],
  answers: readonly string[],
): { readonly joined: string; readonly broken: boolean } => {
  let next = 0;
  let broken = false;
  const parts = stretches.map(({ text, asked: wanted }) => {
    if (!wanted) return text;
    const answer = (answers[next++] ?? text).trim();
    const mended = withBreaksOf(text, answer);
    broken ||= mended === null;
    return mended ?? answer;
  });
  return { joined: parts.join(''), broken };
};

const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu;

/** The number of line breaks. */
const countBreaks = (text: string): number => text.match(BREAK)?.length ?? 0;

/** The answer with the line breaks of its source; null when their numbers differ. */
const withBreaksOf = (source: string, answer: string): string | null => {
  const breaks = source.match(BREAK) ?? [];
  if (countBreaks(answer) !== breaks.length) return null;
  let at = 0;
  return answer.replace(BREAK, (found) => breaks[at++] ?? found);
};

/** The lines of a text, each with its line break. Joined they are the text. */
const linesOf = (text: string): string[] => {
  const lines: string[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(BREAK)) {
    lines.push(text.slice(end, index + found.length));
    end = index + found.length;
  }
  return [...lines, text.slice(end)];
};
