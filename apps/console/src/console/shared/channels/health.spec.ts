import { describe, expect, it } from '@jest/globals';
import { healthOf, isUnwell, percentText, secondsText } from './health.js';

describe('the state of a channel', () => {
  it('is figures where there is traffic behind them', () => {
    expect(healthOf({ id: 2, requests: 400, successShare: 0.9925, medianMs: 310, p95Ms: 1240 })).toEqual({
      kind: 'figures',
      share: '99.2',
      times: { median: '0.31', p95: '1.2' },
      well: true,
    });
    expect(healthOf({ id: 2, requests: 40, successShare: 0.9, medianMs: 310, p95Ms: 900 })).toMatchObject({
      share: '90',
      well: false,
    });
  });

  it('is no figure at all where there is too little, and no time where nothing was answered', () => {
    const none = { successShare: null, medianMs: null, p95Ms: null };
    expect(healthOf({ id: 2, requests: 3, ...none })).toEqual({ kind: 'little', requests: 3 });
    expect(healthOf({ id: 2, requests: 90, ...none, successShare: 0 })).toEqual({
      kind: 'figures',
      share: '0',
      times: null,
      well: false,
    });
  });

  it('is unwell when 5 % of the requests or more failed', () => {
    const of = (successShare: number | null) => ({ id: 2, requests: 90, successShare, medianMs: 100, p95Ms: 200 });
    expect([0.37, 0.95, 1, null].map((share) => isUnwell(of(share)))).toEqual([true, false, false, false]);
  });

  it('never rounds up to 100 %', () => {
    expect(percentText(0.9996)).toBe('99.9');
    expect(percentText(1)).toBe('100');
    expect(percentText(0.29)).toBe('29');
    expect(percentText(0)).toBe('0');
  });

  it('shows seconds with significant digits only', () => {
    expect(secondsText(4)).toBe('<0.01');
    expect(secondsText(84)).toBe('0.08');
    expect(secondsText(1_449)).toBe('1.4');
    expect(secondsText(14_600)).toBe('15');
  });
});
