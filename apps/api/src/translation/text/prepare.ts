import { findProtected } from './find-protected.js';
import { linesOf, withBreaksOf } from './line-breaks.js';
import { masksOf } from './masks.js';
import { hasWords, missingFrom, protect, restore } from './protect.js';
import { split, type Stretch } from './split.js';
import type { TextLimits } from './text-size.js';

/** `masked`: the first try. `plain`: the second one, unmasked and line by line. */
export type Manner = 'masked' | 'plain';

/** A text on its way to a vendor and back. */
export type Prepared = {
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
export const prepare = (text: string, limits: TextLimits, manner: Manner): Prepared =>
  manner === 'masked' ? prepareMasked(text, limits) : preparePlain(text, limits);

const prepareMasked = (text: string, limits: TextLimits): Prepared => {
  const guarded = protect(text);
  const stretches = split(guarded.masked, limits, masksOf(guarded.masked));
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
const splitPlain = (part: string, limits: TextLimits): Stretch[] =>
  split(part, limits, findProtected(part)).map((stretch) =>
    stretch.asked && !hasWords(stretch.text) ? { ...stretch, asked: false } : stretch,
  );

const asked = (stretches: readonly Stretch[]): string[] =>
  stretches.filter((stretch) => stretch.asked).map((stretch) => stretch.text);

const join = (
  stretches: readonly Stretch[],
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
