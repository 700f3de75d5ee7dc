import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { LiveEvents } from '../shared/live/live-events.js';
import { createLiveProvider } from './live-provider.js';

/** A stream that says what it is told to say. */
function stream() {
  const listeners = new Map<string, Set<(data: never) => void>>();
  const on = <E extends keyof LiveEvents>(name: E, listener: (data: LiveEvents[E]) => void): (() => void) => {
    const set = listeners.get(name) ?? new Set();
    listeners.set(name, set.add(listener));
    return () => set.delete(listener);
  };
  const say = <E extends keyof LiveEvents>(name: E, data: LiveEvents[E]): void =>
    listeners.get(name)?.forEach((listener) => listener(data as never));
  const heard = (): number => [...listeners.values()].reduce((sum, { size }) => sum + size, 0);
  return { on, say, heard, notifyAccountChanged: () => say('account', {}) };
}

function list(resource: string) {
  const source = stream();
  const provider = createLiveProvider(source);
  let reads = 0;
  const channel = `resources/${resource}`;
  const subscription: unknown = provider.subscribe({ channel, types: ['*'], callback: () => reads++ });
  const publish = (): void => provider.publish?.({ channel, type: 'deleted', payload: {}, date: new Date() });
  return { ...source, reads: () => reads, stop: () => provider.unsubscribe(subscription), publish };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());
const after = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

describe('lists that follow the stream', () => {
  it.each(['accountLogs', 'translationLogs', 'childUsers'])('refetches %s when the account changes', (resource) => {
    const { say, reads } = list(resource);
    say('order', { id: 1, payStatus: 'P' });
    expect(reads()).toBe(0);
    say('account', {});
    expect(reads()).toBe(1);
  });

  it('orders are read again when an order moves', () => {
    const { say, reads } = list('orders');
    say('account', {});
    expect(reads()).toBe(0);
    say('order', { id: 1, payStatus: 'P' });
    expect(reads()).toBe(1);
  });

  it('refetches after a gap, not on the first connection', () => {
    const { say, reads } = list('accountLogs');
    say('ready', { again: false, accountVersion: null });
    expect(reads()).toBe(0);
    say('ready', { again: true, accountVersion: null });
    expect(reads()).toBe(1);
  });

  it('reads a crowd of events once a second, and the last of them in any case', async () => {
    const { say, reads } = list('accountLogs');
    for (let n = 0; n < 50; n++) say('account', {});
    expect(reads()).toBe(1);
    await after(1_000);
    expect(reads()).toBe(2);
    await after(1_000);
    expect(reads()).toBe(2);
    say('account', {});
    expect(reads()).toBe(3);
  });

  it('requests nothing after the last listener has gone, not even a pending refetch', async () => {
    const { say, reads, stop, heard } = list('accountLogs');
    say('account', {});
    say('account', {});
    stop();
    await after(5_000);
    expect([reads(), heard()]).toEqual([1, 0]);
  });

  it('ignores resources without events', () => {
    expect(list('terms').heard()).toBe(0);
  });

  it('tells the account when sub-accounts were changed from here', () => {
    const family = list('childUsers');
    family.publish();
    expect(family.reads()).toBe(1);
    const terms = list('terms');
    let told = 0;
    terms.on('account', () => told++);
    terms.publish();
    expect(told).toBe(0);
  });
});
