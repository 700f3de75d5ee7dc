import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/specification.md'), 'utf8');

/** The cells of each row of the tables, without the heads and the lines under them. */
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| (Section|-+) /.test(line))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const sentences = rows.filter(({ length }) => length === 4);
const named = sentences.flatMap((cells) => cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`(?: “([^”]+)”)?/g)]));

describe('docs/specification.md', () => {
  it('leaves no cell empty', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter((cells) => cells.includes(''))).toEqual([]);
  });

  it.each(['S2', 'S4', 'S5', 'S8', 'S9'])('goes through the sentences of %s', (section) => {
    expect(sentences.filter(([first]) => first === section).length).toBeGreaterThan(6);
  });

  it('names a journey in a browser for each of them', () => {
    const seen = sentences.filter(([first = '']) => /^S\d$/.test(first));
    expect(seen.filter((cells) => !(cells[3] ?? '').includes('`apps/console/e2e/'))).toEqual([]);
  });

  it('names files that are there', () => {
    expect(named.map(([, file = '']) => file).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('names a test for each sentence, by a title that its file has', () => {
    expect(sentences.filter((cells) => !/`[^`]+` “[^”]+”/.test(cells[3] ?? ''))).toEqual([]);
    const lost = named.filter(
      ([, file = '', title]) => title && !readFileSync(join(ROOT, file), 'utf8').includes(title),
    );
    expect(lost.map(([whole]) => whole)).toEqual([]);
  });
});
