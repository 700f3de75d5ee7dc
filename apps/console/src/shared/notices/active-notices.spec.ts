import { describe, expect, it } from '@jest/globals';
import { activeNotices } from './active-notices.js';

const notice = (id: number, title = `notice ${id}`) => ({ id, name: `${id}`, title, subTitle: '', content: '' });

function board(...hides: number[]) {
  const hidden = new Set(hides);
  const made = activeNotices(() => hidden);
  return { ...made, hidden, ids: () => made.shown().map(({ id }) => id) };
}

describe('the notices of a page', () => {
  it('are those of the server, without those that are hidden today', () => {
    const { set, ids } = board(2);
    set([notice(3), notice(2), notice(1)]);
    expect(ids()).toEqual([3, 1]);
  });

  it('do not come again once they were closed; a new one does', () => {
    const { set, close, put, ids } = board();
    set([notice(2), notice(1)]);
    expect(close()).toEqual([2, 1]);
    expect(ids()).toEqual([]);
    set([notice(2), notice(1)]);
    expect(ids()).toEqual([]);
    put(notice(3));
    expect(ids()).toEqual([3]);
    set([notice(4), notice(3), notice(2), notice(1)]);
    expect(ids()).toEqual([4, 3]);
  });

  it('come and go while they are read, and change where they stand', () => {
    const { set, put, remove, shown, ids } = board();
    set([notice(2), notice(1)]);
    put(notice(3));
    expect(ids()).toEqual([3, 2, 1]);
    put(notice(2, 'another title'));
    expect(shown().map(({ title }) => title)).toEqual(['notice 3', 'another title', 'notice 1']);
    remove(3);
    remove(9);
    expect(ids()).toEqual([2, 1]);
    set([]);
    expect(ids()).toEqual([]);
  });

  it('stay while they are read, although another tab hides them; one that is hidden does not appear when it changes', () => {
    const { set, put, hidden, ids } = board();
    set([notice(1)]);
    [1, 2].forEach((id) => hidden.add(id));
    put(notice(2));
    put(notice(3));
    expect(ids()).toEqual([3, 1]);
  });

  it('tell whoever shows them, once for each change', () => {
    const { set, put, close, subscribe, shown } = board();
    let told = 0;
    const stop = subscribe(() => told++);
    set([notice(1)]);
    expect(shown()).toBe(shown());
    put(notice(2));
    close();
    expect(told).toBe(3);
    stop();
    put(notice(3));
    expect(told).toBe(3);
  });
});
