import { TermIndex } from '@yiqiao/domain/glossary';
import { findProtected } from './find-protected.js';
import { placeholdersOf } from './placeholders.js';
import { hasWords, missingFrom, protect, type Protected, protectTerms, restore } from './protect.js';
import { type Segment, split, type TextLimits } from './split.js';

/** `masked`: the first try. `plain`: the second one, unmasked and line by line. Or one of them with the terms of a glossary. */
export type Strategy = 'masked' | 'plain' | TermStrategy;

/**
 * Who sees to the terms: masks, that their translations stand for; the vendor, which knows how (`vendor`) or was only asked to, so that one
 * has to look (`prompt`); or nobody any more (`plain`): then they may be missing, and are `lost`.
 */
export type TermStrategy = { readonly terms: TermIndex; readonly by: 'mask' | 'vendor' | 'prompt' | 'plain' };

/** A text on its way to a vendor and back. */
type Prepared = {
  /** What goes to the vendor, in order: none blank, each alone within the limits. None: nothing to translate, `restore([])` is the text. */
  readonly pieces: readonly string[];
  /**
   * The whole answer from the answers to the pieces (as many, in their order), white space and protected pieces put back. `lost`: what
   * had to survive and did not, or came out doubled; `\n` among it stands for line breaks.
   */
  restore(answers: readonly string[]): { readonly translated: string; readonly lost: readonly string[] };
};

/** More lines than this are not worth a request each: the second try takes them together. */
const LINES_MAX = 50;

/** Well-formed text of any length and kind; limits of at least one character. Never throws for those. */
export const prepare = (text: string, limits: TextLimits, strategy: Strategy): Prepared => {
  if (strategy === 'plain') return preparePlain(text, limits);
  if (strategy === 'masked') return prepareMasked(protect(text), limits);
  const { terms, by } = strategy;
  if (by === 'mask') return prepareMasked(protectTerms(text, terms), limits);
  if (by === 'vendor') return prepareMasked(protect(text), limits);
  const prepared = by === 'plain' ? preparePlain(text, limits) : prepareMasked(protect(text), limits);
  return { pieces: prepared.pieces, restore: (answers) => withMissing(prepared.restore(answers), text, terms) };
};

/** Adds to what was lost the translations of terms that are not in the answer at all: it may well say "it" the second time. */
const withMissing = (
  { translated, lost }: ReturnType<Prepared['restore']>,
  text: string,
  terms: TermIndex,
): ReturnType<Prepared['restore']> => {
  const wanted = new Set(terms.find(text, findProtected(text)).map(({ translation }) => translation));
  const missing = [...wanted].filter((translation) => !has(translated, translation));
  return { translated, lost: [...lost, ...missing] };
};

/** Whatever case it was put into: sentences begin with capitals. */
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

// A stretch that is nothing but an address has letters, too, and stays here all the same.
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

/** How often a text breaks its line. */
const countBreaks = (text: string): number => text.match(BREAK)?.length ?? 0;

/** An answer with the very line breaks of its source, or null when it has another number of them. */
const withBreaksOf = (source: string, answer: string): string | null => {
  const breaks = source.match(BREAK) ?? [];
  if (countBreaks(answer) !== breaks.length) return null;
  let at = 0;
  return answer.replace(BREAK, (found) => breaks[at++] ?? found);
};

/** A text as lines, each with the break at its end. Joined they are the text. */
const linesOf = (text: string): string[] => {
  const lines: string[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(BREAK)) {
    lines.push(text.slice(end, index + found.length));
    end = index + found.length;
  }
  return [...lines, text.slice(end)];
};
