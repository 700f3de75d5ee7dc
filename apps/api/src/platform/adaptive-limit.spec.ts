import { describe, expect, it } from '@jest/globals';
import { AdaptiveLimit, type Ticket } from './adaptive-limit.js';

const options = { targetMs: 100, least: 10, most: 1_000 };

/**
 * A server that works on all its requests at once, `perSecond` in total, simulated in steps of 10 ms. Each of `keys` sends its given rate.
 */
function simulate(limit: AdaptiveLimit, keys: Record<string, number>, { perSecond = 1_000, seconds = 10 } = {}) {
  const working: { ticket: Ticket; began: number }[] = [];
  const served: { key: string; ms: number; at: number }[] = [];
  const refused: { key: string; at: number }[] = [];
  const due: Record<string, number> = {};
  let budget = 0;
  for (let now = 1; now <= seconds * 1_000; now += 10) {
    // Rotate, so that none is always first.
    const names = Object.keys(keys).sort(() => Math.sin(now));
    for (const key of names) {
      due[key] = (due[key] ?? 0) + (keys[key] ?? 0) / 100;
      for (; due[key] >= 1; due[key]--) {
        const ticket = limit.enter(key, now);
        if (ticket) working.push({ ticket, began: now });
        else refused.push({ key, at: now });
      }
    }
    for (budget = Math.min(budget + perSecond / 100, 100); budget >= 1 && working.length > 0; budget--) {
      const done = working.shift();
      if (!done) break;
      done.ticket.leave(now + 5);
      served.push({ key: done.ticket.key, ms: now + 5 - done.began, at: now });
    }
    if (now % 100 === 1) limit.adjust(0, now);
  }
  const last = <T extends { at: number }>(all: T[]): T[] => all.filter(({ at }) => at > (seconds / 2) * 1_000);
  const ms = last(served)
    .map((one) => one.ms)
    .sort((a, b) => a - b);
  const of = (key: string, all: { key: string; at: number }[]) => last(all).filter((one) => one.key === key).length;
  return {
    perSecond: (last(served).length / seconds) * 2,
    median: ms[ms.length >> 1],
    p99: ms[Math.floor(ms.length * 0.99)],
    served: (key: string) => of(key, served),
    refused: (key: string) => of(key, refused),
  };
}

describe('the concurrency limit', () => {
  it('rejects nothing while latency is below the target', () => {
    const limit = new AdaptiveLimit(options);
    const { refused } = simulate(limit, { a: 900 });
    expect(refused('a')).toBe(0);
    expect(limit.state.limit).toBe(options.most);
  });

  it('keeps full throughput near the target latency at four times the load', () => {
    const { perSecond, median, p99 } = simulate(new AdaptiveLimit(options), { a: 2_000, b: 2_000 });
    expect(perSecond).toBeGreaterThan(970);
    expect(median).toBeGreaterThan(40);
    expect(median).toBeLessThan(150);
    expect(p99).toBeLessThan(250);
  });

  it('rejects only the client that floods', () => {
    const { refused, served } = simulate(new AdaptiveLimit(options), { flood: 4_000, small: 50, other: 100 });
    expect([refused('small'), refused('other')]).toEqual([0, 0]);
    expect(served('flood')).toBeGreaterThan(5 * 800);
  });

  it('shares capacity among clients that exceed their share', () => {
    const keys = { a: 4_000, b: 2_000, c: 1_000 };
    const { served } = simulate(new AdaptiveLimit(options), keys);
    const counts = Object.keys(keys).map(served);
    expect(Math.min(...counts) / Math.max(...counts)).toBeGreaterThan(0.6);
  });

  it('counts how often a request waits for the event loop, also during an external call', () => {
    const [calm, busy] = [new AdaptiveLimit(options), new AdaptiveLimit(options)];
    for (const limit of [calm, busy]) {
      const tickets = Array.from({ length: 40 }, (_, i) => limit.enter(String(i), 0));
      for (const ticket of tickets) ticket?.leave(5);
    }
    calm.adjust(5, 100);
    busy.adjust(20, 100);
    expect([calm.state.limit, busy.state.limit < options.most]).toEqual([options.most, true]);
  });

  it('reopens soon after a flood', () => {
    const limit = new AdaptiveLimit(options);
    simulate(limit, { a: 5_000 }, { seconds: 4 });
    expect(limit.state.limit).toBeLessThan(300);
    for (let i = 0; i < 60; i++) limit.adjust(0, 100_000 + i * 100);
    expect(limit.state.limit).toBe(options.most);
  });

  describe('while a store is away', () => {
    /** So many requests of as many keys end in the window before `now`, `lost` of them because of the store. */
    const window = (limit: AdaptiveLimit, now: number, { all, lost }: { all: number; lost: number }): number => {
      const tickets = Array.from({ length: all }, (_, n) => limit.enter(`key ${n}`, now - 20));
      for (const [n, ticket] of tickets.entries()) {
        if (ticket) ticket.isLost = n < lost;
        ticket?.leave(now - 10);
      }
      limit.adjust(0, now);
      return limit.state.limit;
    };

    it('lets a few in, and within a second as many as ever under load', () => {
      const limit = new AdaptiveLimit({ ...options, least: 64, first: 8 });
      expect(window(limit, 100, { all: 20, lost: 3 })).toBe(8);
      expect(window(limit, 200, { all: 4, lost: 4 })).toBe(8);
      const since = [300, 400, 500, 600, 700, 800].map((now) => window(limit, now, { all: 4, lost: 0 }));
      expect(since).toEqual([12, 18, 27, 41, 61, 64]);
    });

    it('lets nobody more in while those wait for it', () => {
      const limit = new AdaptiveLimit({ ...options, least: 64, first: 8 });
      window(limit, 100, { all: 20, lost: 20 });
      const waiting = Array.from({ length: 8 }, (_, n) => limit.enter(`key ${n}`, 100));
      limit.adjust(0, 200);
      expect([waiting.includes(null), limit.enter('another', 200)]).toEqual([false, null]);
    });

    it('heeds no single failure among others, and none of reads', () => {
      const [work, reads] = [new AdaptiveLimit({ ...options, first: 8 }), new AdaptiveLimit(options)];
      expect(window(work, 100, { all: 20, lost: 2 })).toBe(options.most);
      expect(window(reads, 100, { all: 20, lost: 20 })).toBe(options.most);
    });
  });

  it('does not count waiting for external calls, and frees the slots of stuck requests', () => {
    const limit = new AdaptiveLimit({ ...options, most: 20 });
    const tickets = Array.from({ length: 10 }, () => limit.enter('a', 0));
    expect(tickets.every(Boolean)).toBe(true);
    expect(limit.enter('a', 0)).toBeNull();
    for (const ticket of tickets) ticket?.pause(1);
    expect(limit.state.working).toBe(0);
    for (const ticket of tickets) ticket?.resume(5_000);
    expect(limit.state.working).toBe(10);
    limit.adjust(0, 6_001);
    expect(limit.state.working).toBe(0);
    for (const ticket of tickets) ticket?.leave(7_000);
    expect(limit.enter('a', 7_000)).not.toBeNull();
  });

  it('waits for all concurrent external calls of a request', () => {
    const limit = new AdaptiveLimit(options);
    const ticket = limit.enter('a', 0);
    ticket?.pause(1);
    ticket?.pause(1);
    ticket?.resume(50);
    expect(limit.state.working).toBe(0);
    ticket?.resume(90);
    expect(limit.state.working).toBe(1);
    expect(ticket?.ownMs).toBe(1);
  });

  it('gives no slot to work that continues after its response', () => {
    const limit = new AdaptiveLimit(options);
    const ticket = limit.enter('a', 0);
    ticket?.pause(1);
    ticket?.leave(2);
    ticket?.resume(3);
    expect(limit.state.working).toBe(0);
  });

  it('keeps measuring a request that used more than a second of CPU time', () => {
    const limit = new AdaptiveLimit(options);
    const ticket = limit.enter('a', 0);
    ticket?.pause(900);
    ticket?.resume(1_000);
    ticket?.pause(1_300);
    ticket?.resume(1_400);
    expect(limit.state.working).toBe(1);
  });
});
