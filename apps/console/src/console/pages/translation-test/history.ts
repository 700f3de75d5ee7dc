import type { Request, Response } from '@yiqiao/contracts/endpoint';
import type { translateText } from '@yiqiao/contracts/translation';
import { useState } from 'react';

/** One text through one channel; the page never sends several at once. */
export type TextRequest = Omit<Request<typeof translateText>, 'text'> & { text: string };
type TextAnswer = Exclude<Response<typeof translateText>, { items: unknown }>;

/** The answer of one channel and its duration as seen from the browser. */
export type Done = { channelId: number; request: TextRequest; answer: TextAnswer; seconds: number };

/** The source: a text as typed, or the text recognised in a recording or a picture. */
export type Kind = 'text' | 'voice' | 'image';

/** One text with the answers of all channels since the page opened. */
export type HistoryEntry = {
  at: Date;
  kind: Kind;
  request: Pick<TextRequest, 'source' | 'target' | 'text'>;
  results: readonly Done[];
};

const KEPT = 20;

/** Adds an answer to the history. */
export type AddToHistory = (done: Done, kind: Kind) => void;

/**
 * Adds an answer of the time `at`: another channel's answer to the newest text joins its entry, any other starts a
 * new one.
 */
export const withAnswer = (
  entries: readonly HistoryEntry[],
  done: Done,
  { kind, at }: { kind: Kind; at: Date },
): readonly HistoryEntry[] => {
  const { source, target, text } = done.request;
  const [newest, ...older] = entries;
  const same =
    newest !== undefined &&
    kind === 'text' &&
    newest.kind === 'text' &&
    newest.request.text === text &&
    newest.request.source === source &&
    newest.request.target === target &&
    newest.results.every(({ channelId }) => channelId !== done.channelId);
  return same
    ? [{ ...newest, results: [...newest.results, done] }, ...older]
    : [{ at, kind, request: { source, target, text }, results: [done] }, ...entries].slice(0, KEPT);
};

/** The translations since the page opened, of all tabs, newest first. */
export function useHistory(): { entries: readonly HistoryEntry[]; add: AddToHistory } {
  const [entries, setVisits] = useState<readonly HistoryEntry[]>([]);
  return {
    entries,
    add: (done, kind) => setVisits((before) => withAnswer(before, done, { kind, at: new Date() })),
  };
}
