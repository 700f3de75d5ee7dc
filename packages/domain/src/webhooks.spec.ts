import { describe, expect, it } from '@jest/globals';
import { webhookRetryMs } from './webhooks.js';

describe('the pauses between attempts', () => {
  it('grow, and end after three days', () => {
    const pauses = Array.from({ length: 9 }, (_, at) => webhookRetryMs(at + 1, 0) ?? 0);
    expect(pauses[0]).toBe(5_000);
    expect([...pauses].sort((a, b) => a - b)).toEqual(pauses);
    expect(pauses.reduce((sum, ms) => sum + ms, 0) / 3_600_000).toBeCloseTo(75.6, 1);
    expect(webhookRetryMs(10, 0)).toBeNull();
  });

  it('are up to a fifth longer by chance, never shorter', () => {
    for (const chance of [0, 0.3, 0.999]) {
      const ms = webhookRetryMs(2, chance) ?? 0;
      expect(ms).toBeGreaterThanOrEqual(300_000);
      expect(ms).toBeLessThanOrEqual(360_000);
    }
  });
});
