import { describe, expect, it } from '@jest/globals';

import { FAULT_KINDS } from '../vendor-faults.js';
import { VENDORS } from '../account.js';
import { VENDOR_TEXTS } from './vendor-texts.js';
import { callText, resultText, labelOf, accountSummary, faultText } from './vendor-view.js';

const { zh, en } = VENDOR_TEXTS;
const ROW = {
  account: 'a',
  vendor: 'google',
  count: 1204,
  refused: 3,
  chars: 56_000,
  inFlight: 0,
  lastAt: null,
  switches: [],
};
const CALL = {
  at: '2026-01-01T00:00:00Z',
  call: 'translate',
  texts: 2,
  chars: 31,
  source: null,
  target: 'ja',
  status: 200,
  error: null,
  faults: [],
  ms: 12,
};

describe('the vendors page', () => {
  it('has a name for every switch and every vendor, in both languages', () => {
    for (const texts of [zh, en]) {
      for (const word of [...FAULT_KINDS, ...VENDORS]) expect(labelOf(word, texts)).toBe(texts[word]);
    }
    expect(labelOf('unheard-of', en)).toBe('unheard-of');
  });

  it('sums up an account without zeros', () => {
    expect(accountSummary(ROW, en)).toBe('requests 1,204 · refused 3 · characters 56,000');
    expect(accountSummary({ ...ROW, count: 0 }, zh)).toBe('还没有请求');
  });

  it('shows how long a switch lasts and how often it was used', () => {
    expect(faultText({ kind: 'rate', left: 2, hits: 1 }, zh)).toBe('太频繁 · 还剩 2 · 命中 1');
    expect(faultText({ kind: 'error', left: null, hits: 0 }, en)).toBe('Server error');
  });

  it('shows a call and its outcome', () => {
    expect(callText(CALL, en)).toBe('auto → ja · texts 2 · characters 31');
    expect(callText({ ...CALL, call: 'usage' }, en)).toBe('usage');
    expect(resultText(CALL, en)).toBe('200 · 12 ms');
    expect(resultText({ ...CALL, status: 429, error: 'RateLimit', ms: null }, en)).toBe('429 · RateLimit');
    expect(resultText({ ...CALL, status: 456, error: '456' }, en)).toBe('456 · 12 ms');
    expect(resultText({ ...CALL, status: null, ms: null }, zh)).toBe('未应答');
  });
});
