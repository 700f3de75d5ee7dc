import { describe, expect, it } from '@jest/globals';
import { sumDay } from './login-logs.js';

describe('consecutive days with a login', () => {
  it('start at 1', () => expect(sumDay(null)).toBe(1));
  it('does not count a day twice', () => expect(sumDay({ sumDay: 4, daysSinceLast: 0 })).toBe(4));
  it('increase on the next day', () => expect(sumDay({ sumDay: 4, daysSinceLast: 1 })).toBe(5));
  it('restart after a missed day', () => expect(sumDay({ sumDay: 4, daysSinceLast: 2 })).toBe(1));
  it('tolerate a clock that was set back', () => expect(sumDay({ sumDay: 4, daysSinceLast: -1 })).toBe(4));
});
