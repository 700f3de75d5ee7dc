import { type Effort, Pattern } from './pattern.js';
import type { Entry } from './tables.js';
import type { Token, Tongue } from './tokens.js';

/** A sentence in both languages, in all the ways in which it is recognised. The first line of a language is the one that is said. */
export type Block = Readonly<Record<Tongue, Lines>>;

/** The lines of a sentence in one language, parsed when they are needed: most texts come in one of the languages. */
class Lines {
  private parsed: readonly Pattern[] | undefined;

  constructor(private readonly raw: readonly string[]) {}

  get patterns(): readonly Pattern[] {
    return (this.parsed ??= this.raw.map((line) => new Pattern(line)));
  }

  get said(): Pattern {
    const [first] = this.patterns;
    if (!first) throw new Error('a sentence lacks a language');
    return first;
  }
}

export type Line = { readonly pattern: Pattern; readonly block: Block; readonly order: number };

/** The lines of one language, found by the rarest word that each must have. */
export class Index {
  private readonly byWord = new Map<string, Line[]>();
  private readonly anywhere: Line[] = [];

  constructor(blocks: readonly Block[], tongue: Tongue) {
    const lines = blocks
      .flatMap((block) => block[tongue].patterns.map((pattern) => ({ pattern, block })))
      // Fewer slots are more exact.
      .sort((a, b) => a.pattern.slots.length - b.pattern.slots.length)
      .map((line, order): Line => ({ ...line, order }));
    const counts = new Map<string, number>();
    for (const { pattern } of lines)
      for (const word of pattern.required.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
    const commonness = (group: readonly string[]): number =>
      group.reduce((sum, word) => sum + (counts.get(word) ?? 0), 0);
    for (const line of lines) {
      const [rarest] = [...line.pattern.required].sort((a, b) => commonness(a) - commonness(b));
      if (!rarest) this.anywhere.push(line);
      for (const word of new Set(rarest)) {
        const known = this.byWord.get(word);
        if (known) known.push(line);
        else this.byWord.set(word, [line]);
      }
    }
  }

  /** The lines that may match, the most exact first. Each line that is looked at is an effort. */
  candidates(tokens: readonly Token[], effort: Effort): readonly Line[] {
    const words = new Set(tokens.map(({ norm }) => norm));
    const first = tokens[0]?.norm ?? '';
    const fits = ({ pattern: { firstWords, required } }: Line): boolean =>
      (firstWords === null || firstWords.has(first)) &&
      required.every((group) => group.some((word) => words.has(word)));
    const found = new Set(this.anywhere.filter(fits));
    effort.left -= this.anywhere.length;
    for (const word of words) {
      const lines = this.byWord.get(word) ?? [];
      effort.left -= lines.length;
      if (effort.left > 0) for (const line of lines) if (fits(line)) found.add(line);
    }
    return [...found].sort((a, b) => a.order - b.order);
  }
}

/** Reads a file of sentences. Throws on a malformed block, naming it. */
export function parseBlocks(text: string, file: string): Block[] {
  return text.split(/\n(?:[ \t]*\n)+/).flatMap((part) => {
    const lines: Record<Tongue, string[]> = { zh: [], en: [] };
    for (const line of part.split('\n').map((each) => each.trim())) {
      if (line === '' || line.startsWith('#')) continue;
      const [, tongue = '', pattern = ''] = /^(zh|en) (.+)$/.exec(line) ?? [];
      if (pattern === '') throw new Error(`${file}: a line begins neither with zh nor with en: ${line}`);
      lines[tongue as Tongue].push(pattern);
    }
    if (lines.zh.length === 0 && lines.en.length === 0) return [];
    if (lines.zh.length === 0 || lines.en.length === 0)
      throw new Error(`${file}: a sentence lacks a language: ${part}`);
    return [{ zh: new Lines(lines.zh), en: new Lines(lines.en) }];
  });
}

/** Reads the table of a slot. */
export const parseEntries = (text: string): Entry[] =>
  text.split('\n').flatMap((line) => {
    const [zh = '', en = '', plural] = line.split('\t').map((each) => each.trim());
    if (zh === '' || zh.startsWith('#')) return [];
    const names = en.split('|');
    return [{ zh: zh.split('|'), en: names, plural: plural || (names[0] ?? '') }];
  });
