import { describe, expect, it } from '@jest/globals';
import { BytePace } from './byte-pace.js';

const pace = (): BytePace => new BytePace({ bytesPerSecond: 1_000, burst: 500 });

describe('the pace of bytes', () => {
  it('lets a burst through', () => {
    expect(pace().take(500, 0)).toBe(0);
  });

  it('makes wait for what is more than the burst', () => {
    expect(pace().take(700, 0)).toBe(200);
  });

  it('is one for all who send', () => {
    const shared = pace();
    expect([shared.take(500, 0), shared.take(100, 0), shared.take(100, 0)]).toEqual([0, 100, 200]);
  });

  it('forgets what was sent as time goes by, and saves nothing up', () => {
    const shared = pace();
    shared.take(1_000, 0);
    expect(shared.take(0, 1_000)).toBe(0);
    expect(shared.take(600, 60_000)).toBe(100);
  });
});
