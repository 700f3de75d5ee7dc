import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Seal } from './seal.js';

const key = randomBytes(32).toString('hex');
const content = randomBytes(1_000);

describe('the seal of a backup', () => {
  it('opens what it sealed, and never seals the same twice alike', () => {
    const seal = new Seal(key);
    const [one, two] = [seal.seal('full/1', content), seal.seal('full/1', content)];
    expect(one.equals(two)).toBe(false);
    expect(seal.open('full/1', one).equals(content)).toBe(true);
    expect(new Seal(key).open('full/1', two).equals(content)).toBe(true);
    expect(one.includes(content.subarray(0, 16))).toBe(false);
  });

  it('names an object of which one bit was changed, wherever it is', () => {
    const seal = new Seal(key);
    const sealed = seal.seal('wal/1', content);
    for (const at of [0, 4, 9, 24, 25, 500, sealed.length - 17, sealed.length - 1]) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(() => seal.open('wal/1', altered)).toThrow('damaged or cut short: wal/1');
    }
  });

  it('names one that was cut, is empty, or has another’s name', () => {
    const seal = new Seal(key);
    const sealed = seal.seal('wal/1', content);
    for (const part of [sealed.subarray(0, -1), sealed.subarray(0, 30), Buffer.alloc(0)])
      expect(() => seal.open('wal/1', part)).toThrow('damaged or cut short: wal/1');
    expect(() => seal.open('wal/2', sealed)).toThrow('damaged or cut short: wal/2');
  });

  it('tells another key from damage', () => {
    const sealed = new Seal(key).seal('cluster', content);
    expect(() => new Seal(randomBytes(32).toString('hex')).open('cluster', sealed)).toThrow('The wrong BACKUP_KEY');
  });
});
