import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { ThrottledLines } from './logger.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('of a kind one line is written per second, and every other is counted', () => {
  const written: object[] = [];
  const lines = new ThrottledLines((line) => written.push(line));
  const made = jest.fn(() => ({ requestId: 'first' }));
  for (let n = 0; n < 100; n++) lines.add('ECONNREFUSED', made);
  lines.add('25006', () => ({ requestId: 'other' }));
  expect(written).toEqual([
    { kind: 'ECONNREFUSED', requestId: 'first' },
    { kind: '25006', requestId: 'other' },
  ]);
  // Formatting what is not written would cost as much as writing it.
  expect(made).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(1_000);
  expect(written.slice(2)).toEqual([{ kind: 'ECONNREFUSED', more: 99 }]);
  lines.add('ECONNREFUSED', made);
  jest.advanceTimersByTime(1_000);
  expect(written.slice(3)).toEqual([{ kind: 'ECONNREFUSED', more: 1 }]);
  jest.advanceTimersByTime(60_000);
  lines.add('ECONNREFUSED', () => ({ requestId: 'later' }));
  expect(written.slice(4)).toEqual([{ kind: 'ECONNREFUSED', requestId: 'later' }]);
});
