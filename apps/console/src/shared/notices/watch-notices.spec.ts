import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ShownNotice } from '@yiqiao/contracts/notices';
import type { LiveEvents } from '../live/live-events.js';
import { activeNotices } from './active-notices.js';
import { watchNotices } from './watch-notices.js';

const notice = (id: number): ShownNotice => ({ id, name: `${id}`, title: '', subTitle: '', content: '' });

/** A server that answers when it is told to. */
function watched() {
  const listeners = new Map<string, (data: never) => void>();
  const answers: ((rows: readonly ShownNotice[] | null) => void)[] = [];
  const board = activeNotices(() => new Set());
  const stop = watchNotices(board, {
    on: (name, listener) => {
      listeners.set(name, listener);
      return () => listeners.delete(name);
    },
    list: () => new Promise((resolve) => answers.push(resolve)),
  });
  return {
    say: <E extends keyof LiveEvents>(name: E, data: LiveEvents[E]) => listeners.get(name)?.(data as never),
    /** The oldest question is answered with these. */
    answer: async (...ids: number[]) => {
      answers.shift()?.(ids.map(notice));
      await jest.advanceTimersByTimeAsync(0);
    },
    fail: async () => {
      answers.shift()?.(null);
      await jest.advanceTimersByTimeAsync(0);
    },
    asked: () => answers.length,
    ids: () => board.shown().map(({ id }) => id),
    heard: () => listeners.size,
    stop,
  };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('the board of a page', () => {
  it('requests the list once when the stream is connected', async () => {
    const { say, asked, answer, ids } = watched();
    expect(asked()).toBe(0);
    say('ready', { again: false, accountVersion: null });
    expect(asked()).toBe(1);
    await answer(2, 1);
    expect(ids()).toEqual([2, 1]);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(asked()).toBe(0);
  });

  it('does not wait long for the stream, and refetches when it connects later', async () => {
    const { say, asked, answer, ids } = watched();
    await jest.advanceTimersByTimeAsync(1_500);
    expect(asked()).toBe(1);
    await answer(1);
    say('ready', { again: false, accountVersion: null });
    await answer(2);
    expect(ids()).toEqual([2]);
  });

  it('applies events without a request', async () => {
    const { say, asked, answer, ids } = watched();
    say('ready', { again: false, accountVersion: null });
    await answer(1);
    say('notice', notice(2));
    expect(ids()).toEqual([2, 1]);
    say('notice-removed', { id: 1 });
    expect([ids(), asked()]).toEqual([[2], 0]);
  });

  it('keeps events received while an older list was loading', async () => {
    const { say, answer, ids } = watched();
    say('ready', { again: false, accountVersion: null });
    say('notice', notice(3));
    say('notice-removed', { id: 1 });
    await answer(2, 1);
    expect(ids()).toEqual([3, 2]);
  });

  it('refetches after a gap, and keeps the list when the request fails', async () => {
    const { say, answer, fail, ids } = watched();
    say('ready', { again: false, accountVersion: null });
    await answer(2, 1);
    say('ready', { again: true, accountVersion: null });
    await fail();
    expect(ids()).toEqual([2, 1]);
    say('ready', { again: true, accountVersion: null });
    await answer(1);
    expect(ids()).toEqual([1]);
  });

  it('requests nothing after it is left', async () => {
    const { stop, asked, heard } = watched();
    stop();
    await jest.advanceTimersByTimeAsync(60_000);
    expect([asked(), heard()]).toEqual([0, 0]);
  });
});
