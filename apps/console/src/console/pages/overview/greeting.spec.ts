import { describe, expect, it } from '@jest/globals';
import { greetingOf } from './greeting.js';

describe('greeting by hour', () => {
  it.each([
    [0, 'morning'],
    [9, 'morning'],
    [10, 'noon'],
    [13, 'noon'],
    [14, 'afternoon'],
    [17, 'afternoon'],
    [18, 'evening'],
    [23, 'evening'],
  ] as const)('%i is %s', (hour, greeting) => {
    expect(greetingOf(hour)).toBe(greeting);
  });
});
