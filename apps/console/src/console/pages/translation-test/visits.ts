import type { Answer, Asked } from './translate-one.js';

/** What one channel answered, and how long it took from here. */
export type Done = { channelId: number; asked: Asked; answer: Answer; seconds: number };

/** What was translated: a text as it was typed, or what was found in a recording or a picture. */
export type Kind = 'text' | 'voice' | 'image';

/** One text with all that channels made of it during this visit. */
export type Visit = {
  at: Date;
  kind: Kind;
  asked: Pick<Asked, 'source' | 'target' | 'text'>;
  results: readonly Done[];
};

const KEPT = 20;

/** How an answer is noted. */
export type Note = (done: Done, kind: Kind) => void;

/**
 * The visits after an answer at `at`: that to a text joins the newest one when it is another channel's answer to the same, else it begins
 * one.
 */
export const withAnswer = (
  visits: readonly Visit[],
  done: Done,
  { kind, at }: { kind: Kind; at: Date },
): readonly Visit[] => {
  const { source, target, text } = done.asked;
  const [newest, ...older] = visits;
  const same =
    newest !== undefined &&
    kind === 'text' &&
    newest.kind === 'text' &&
    newest.asked.text === text &&
    newest.asked.source === source &&
    newest.asked.target === target &&
    newest.results.every(({ channelId }) => channelId !== done.channelId);
  return same
    ? [{ ...newest, results: [...newest.results, done] }, ...older]
    : [{ at, kind, asked: { source, target, text }, results: [done] }, ...visits].slice(0, KEPT);
};
