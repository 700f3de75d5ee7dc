import { describe, expect, it } from '@jest/globals';
import { ApertiumInstall, parse } from './apertium-install.js';

describe('a mode file', () => {
  it('is read as programs and files', () => {
    expect(parse("lt-proc -z '/a b/c|d.bin' | apertium-tagger -g $2 '/x.prob' | lt-proc $1 '/y.bin'\n")).toEqual([
      { program: 'lt-proc', args: ['-z', '/a b/c|d.bin'] },
      { program: 'apertium-tagger', args: ['-g', '/x.prob'] },
      { program: 'lt-proc', args: ['-n', '/y.bin'] },
    ]);
  });

  it.each(['lt-proc $(id)', 'lt-proc; id', 'lt-proc > /tmp/x', 'lt-proc `id`', 'a || b', 'a &', '', 'lt-proc $HOME'])(
    'is refused when it is more than that: %s',
    (line) => {
      expect(() => parse(line)).toThrow();
    },
  );
});

describe('a place without Apertium', () => {
  it('has no modes', async () => {
    expect(await new ApertiumInstall('/nowhere').installed(['eng-spa'])).toEqual(new Set());
  });
});
