import { describe, expect, it } from '@jest/globals';
import { ByteRateLimiter } from './rate-limited-stream.js';

const limiter = (): ByteRateLimiter => new ByteRateLimiter({ bytesPerSecond: 1_000, burst: 500 });

describe('the byte rate limiter', () => {
  it('passes a burst through', () => {
    expect(limiter().take(500, 0)).toBe(0);
  });

  it('delays what exceeds the burst', () => {
    expect(limiter().take(700, 0)).toBe(200);
  });

  it('is shared by all senders', () => {
    const shared = limiter();
    expect([shared.take(500, 0), shared.take(100, 0), shared.take(100, 0)]).toEqual([0, 100, 200]);
  });

  it('forgets sent bytes over time and accumulates no credit', () => {
    const shared = limiter();
    shared.take(1_000, 0);
    expect(shared.take(0, 1_000)).toBe(0);
    expect(shared.take(600, 60_000)).toBe(100);
  });
});
