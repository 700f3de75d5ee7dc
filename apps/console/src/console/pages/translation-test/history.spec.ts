import { describe, expect, it } from '@jest/globals';
import { withAnswer, type Done, type Kind, type HistoryEntry } from './history.js';

const done = (channelId: number, text = 'a'): Done => ({
  channelId,
  request: { source: 'en', target: 'es', text },
  answer: {
    translated: `${text}${channelId}`,
    source: 'en',
    target: 'es',
    channelId,
    charged: 1,
    quality: 'translation',
    warning: null,
  },
  seconds: 0.1,
});
const at = new Date(0);
const after = (...answers: Done[]): readonly HistoryEntry[] =>
  answers.reduce<readonly HistoryEntry[]>((entries, answer) => withAnswer(entries, answer, { kind: 'text', at }), []);
const heard = (entries: readonly HistoryEntry[], kind: Kind, answer: Done): readonly HistoryEntry[] =>
  withAnswer(entries, answer, { kind, at });
const shape = (entries: readonly HistoryEntry[]) =>
  entries.map(({ request, results }) => [request.text, results.map((r) => r.channelId)]);

describe('the history of this visit', () => {
  it('keeps what several channels made of one text together', () => {
    expect(shape(after(done(1), done(2), done(3)))).toEqual([['a', [1, 2, 3]]]);
  });

  it('starts a new entry for another text, or when a channel answers the same text again', () => {
    expect(shape(after(done(1), done(1, 'b')))).toEqual([
      ['b', [1]],
      ['a', [1]],
    ]);
    expect(shape(after(done(1), done(2), done(2), done(1)))).toEqual([
      ['a', [2, 1]],
      ['a', [1, 2]],
    ]);
  });

  it('keeps recordings, pictures and typed texts in separate entries', () => {
    const entries = heard(heard(after(done(1)), 'voice', done(2)), 'text', done(3));
    expect(entries.map(({ kind, results }) => [kind, results.length])).toEqual([
      ['text', 1],
      ['voice', 1],
      ['text', 1],
    ]);
    expect(heard(heard([], 'image', done(1)), 'image', done(2))).toHaveLength(2);
  });

  it('keeps the last twenty', () => {
    const texts = Array.from({ length: 25 }, (_, n) => done(1, String(n)));
    const entries = after(...texts);
    expect(entries).toHaveLength(20);
    expect(entries[0]?.request.text).toBe('24');
  });
});
