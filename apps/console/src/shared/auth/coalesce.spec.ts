import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { coalesce, keepLatest } from './coalesce.js';

/** Pending requests, settled by the test in any order. */
function pendingRequests() {
  const pending: PromiseWithResolvers<string>[] = [];
  const read = (): Promise<string> => {
    const request = Promise.withResolvers<string>();
    pending.push(request);
    return request.promise;
  };
  return { pending, read };
}

describe('coalesce', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function setUp() {
    const { pending, read } = pendingRequests();
    let key = 'one';
    return {
      pending,
      call: coalesce(read, { key: () => key, freshMs: 1_000 }),
      become: (name: string) => (key = name),
    };
  }

  it('shares a pending request, however long it takes, and its result for a moment more', async () => {
    const { call, pending } = setUp();
    const first = call();
    jest.advanceTimersByTime(5_000);
    const second = call();
    pending[0]?.resolve('a');
    expect([await first, await second, pending.length]).toEqual(['a', 'a', 1]);
    jest.advanceTimersByTime(999);
    expect([await call(), pending.length]).toEqual(['a', 1]);
    jest.advanceTimersByTime(1);
    void call();
    expect(pending.length).toBe(2);
  });

  it('requests again after a failure', async () => {
    const { call, pending } = setUp();
    const first = call();
    pending[0]?.reject(new Error('no network'));
    await expect(first).rejects.toThrow('no network');
    void call();
    expect(pending.length).toBe(2);
  });

  it('never shares a result between keys', () => {
    const { call, pending, become } = setUp();
    void call();
    become('two');
    void call();
    expect(pending.length).toBe(2);
  });
});

describe('keepLatest', () => {
  function setUp() {
    const { pending, read } = pendingRequests();
    const kept: string[] = [];
    const call = keepLatest(read, (result) => void kept.push(result));
    return { call, kept, request: (n: number) => pending[n] as PromiseWithResolvers<string> };
  }

  it('drops a result that arrives after that of a later call', async () => {
    const { call, kept, request } = setUp();
    const [first, second] = [call(), call()];
    request(1).resolve('new');
    await second;
    request(0).resolve('old');
    expect(await first).toBe('old'); // the caller still gets it
    expect(kept).toEqual(['new']);
  });

  it('keeps results that arrive in order', async () => {
    const { call, kept, request } = setUp();
    const [first, second] = [call(), call()];
    request(0).resolve('old');
    await first;
    request(1).resolve('new');
    await second;
    expect(kept).toEqual(['old', 'new']);
  });

  it('keeps an older result when the later call failed', async () => {
    const { call, kept, request } = setUp();
    const [first, second] = [call(), call()];
    request(1).reject(new Error('no network'));
    await expect(second).rejects.toThrow('no network');
    request(0).resolve('old');
    await first;
    expect(kept).toEqual(['old']);
  });
});
