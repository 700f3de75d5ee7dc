import type { TermIndex } from '@yiqiao/domain/glossary';
import type { MarkupFormat } from '@yiqiao/domain/text-formats';
import { findProtected } from '../text/find-protected.js';
import { PLACEHOLDER_LIKE, placeholderOf, readPlaceholders } from '../text/placeholders.js';
import { hasWords } from '../text/protect.js';
import type { Node } from './structure.js';

/**
 * What stands in a sentence besides its words: a tag, or an atom. `at`: its place in the words, in UTF-16 units. `pair`: the same for a
 * start tag and its end tag. `isSolid`: a reader sees text there.
 */
type Mark = {
  readonly at: number;
  readonly source: string;
  readonly kind: 'open' | 'close' | 'atom';
  readonly pair: number;
  readonly isSolid: boolean;
};

/** The words between two groups of marks. `asked`: there is something to translate. */
type Run = { readonly text: string; readonly asked: boolean };

/**
 * A sentence, or several, of one block, and the markup in it. Adjacent marks are one group, and each group is one placeholder in the text for
 * the channel: those are kept like any other protected piece (text/protect.ts).
 */
export class Sentence {
  readonly #groups: readonly (readonly Mark[])[];

  private constructor(
    /** The words without the marks. */
    readonly words: string,
    private readonly marks: readonly Mark[],
    private readonly escape: (text: string) => string | null,
  ) {
    this.#groups = grouped(marks);
  }

  /** Null: there is nothing to translate in these nodes. */
  static of(source: string, nodes: readonly Node[], format: MarkupFormat): Sentence | null {
    const isCdata = nodes.some((node) => node.kind === 'words' && node.isCdata);
    const escape = (text: string): string | null => (isCdata ? uncut(text) : escaped(text, format));
    const marks: Mark[] = [];
    let words = '';
    let run = '';
    const endRun = (): void => {
      let from = 0;
      const text = format === 'html' ? run.replace(/[\t\n\f\r ]+/g, ' ') : run;
      for (const { 0: found, index } of text.matchAll(PLACEHOLDER_LIKE)) {
        words += text.slice(from, index);
        marks.push({ at: words.length, source: escape(found) ?? found, kind: 'atom', pair: -1, isSolid: true });
        from = index + found.length;
      }
      words += text.slice(from);
      run = '';
    };
    for (const node of nodes) {
      if (node.kind === 'words') {
        run += node.text;
        continue;
      }
      endRun();
      marks.push({
        at: words.length,
        source: source.slice(node.start, node.end),
        kind: node.kind,
        pair: node.kind === 'atom' ? -1 : node.pair,
        isSolid: node.kind === 'atom' && node.shows,
      });
    }
    endRun();
    const sentence = new Sentence(words, marks, escape);
    return hasWords(sentence.masked) ? sentence : null;
  }

  /** The text for the channel. */
  get masked(): string {
    return this.#between()
      .map((text, nth) => (nth === 0 ? text : placeholderOf(nth - 1) + text))
      .join('');
  }

  /** The words between the groups of marks: one more than there are groups. */
  get runs(): readonly Run[] {
    return this.#between().map((text) => ({ text, asked: hasWords(text) }));
  }

  /**
   * The same sentence with no tag inside of a term: a translation of the term would have no place for it. Start tags go before the term,
   * and everything from the first end tag on goes behind it, so that the order stays.
   */
  withWhole(terms: TermIndex): Sentence {
    if (this.marks.length === 0) return this;
    const marks = [...this.marks];
    for (const { start, end } of terms.find(this.words, findProtected(this.words))) {
      const inside = marks.flatMap((mark, nth) => (mark.at > start && mark.at < end ? [nth] : []));
      if (inside.some((nth) => marks[nth]?.isSolid)) continue;
      let at = start;
      for (const nth of inside) {
        const mark = marks[nth];
        if (mark?.kind !== 'open') at = end;
        if (mark) marks[nth] = { ...mark, at };
      }
    }
    return new Sentence(this.words, marks, this.escape);
  }

  /**
   * The answer with its placeholders replaced by the markup. Null when a mark is missing or doubled, stands in another element than before,
   * or when an element has lost its words.
   */
  restore(answer: string): string | null {
    if (this.#groups.length === 0) return this.escape(answer);
    const found = readPlaceholders(answer, this.#groups.length);
    const numbers = new Set(found.map(({ index }) => index));
    if (found.length !== this.#groups.length || numbers.size !== found.length) return null;
    const groups = found.map(({ index }) => this.#groups[index] ?? []);
    if (groups.some((group) => group.length === 0)) return null;
    const between = [...found.map(({ start }, nth) => answer.slice(found[nth - 1]?.end ?? 0, start))];
    between.push(answer.slice(found.at(-1)?.end ?? 0));
    const here = shapeOf(between, groups);
    const there = shapeOf(this.#between(), this.#groups);
    if (here === null || there === null) return null;
    if (this.marks.some((mark) => here.around.get(mark) !== there.around.get(mark))) return null;
    if ([...there.filled].some((pair) => !here.filled.has(pair))) return null;
    return this.#written(this.#spaced(between, groups), groups);
  }

  /**
   * The answers to the {@link runs} that are asked, in order, each in its place: the markup is that of the source. Null: they cannot be
   * written where they stand.
   */
  compose(answers: readonly string[]): string | null {
    let next = 0;
    const between = this.runs.map(({ text, asked }) => {
      if (!asked) return text;
      const [, before = '', , after = ''] = /^(\s*)([^]*?)(\s*)$/u.exec(text) ?? [];
      return `${before}${(answers[next++] ?? text).trim()}${after}`;
    });
    return this.#written(between, this.#groups);
  }

  #between(): string[] {
    const ends = this.#groups.map(([first]) => first?.at ?? 0);
    return [...ends, this.words.length].map((end, nth) => this.words.slice(ends[nth - 1] ?? 0, end));
  }

  /** Null: the text cannot be written in a CDATA section. */
  #written(between: readonly string[], groups: readonly (readonly Mark[])[]): string | null {
    const texts = between.map(this.escape);
    if (texts.includes(null)) return null;
    const markup = groups.map((group) => group.map(({ source }) => source).join(''));
    return texts.map((text, nth) => (markup[nth - 1] ?? '') + (text ?? '')).join('');
  }

  /** Moves a blank that the translation put inside of a tag outside of it: "an <b> old </b> man". */
  #spaced(between: readonly string[], groups: readonly (readonly Mark[])[]): readonly string[] {
    const texts = [...between];
    for (const [nth, group] of groups.entries()) {
      const before = texts[nth] ?? '';
      const after = texts[nth + 1] ?? '';
      const at = group[0]?.at ?? 0;
      const is = (kind: Mark['kind']): boolean => group.every((mark) => mark.kind === kind);
      if (is('open') && /^ +\S/u.test(after) && this.words.charAt(at) !== ' ') {
        texts[nth + 1] = after.trimStart();
        if (before !== '' || nth > 0) texts[nth] = /\s$/u.test(before) ? before : `${before} `;
      } else if (is('close') && /\S +$/u.test(before) && this.words.charAt(at - 1) !== ' ') {
        texts[nth] = before.trimEnd();
        if (/^[\p{L}\p{N}]/u.test(after)) texts[nth + 1] = ` ${after}`;
      }
    }
    return texts;
  }
}

const grouped = (marks: readonly Mark[]): readonly (readonly Mark[])[] => {
  const groups: Mark[][] = [];
  for (const mark of marks) {
    const last = groups.at(-1);
    if (last?.[0]?.at === mark.at) last.push(mark);
    else groups.push([mark]);
  }
  return groups;
};

/** `around`: the pair that each mark stands in, −1 outside of all; `filled`: the pairs with something to read in them. */
type Shape = { readonly around: ReadonlyMap<Mark, number>; readonly filled: ReadonlySet<number> };

/** Null when the tags are not nested. `between`: the words before each group, and those behind the last. */
const shapeOf = (between: readonly string[], groups: readonly (readonly Mark[])[]): Shape | null => {
  const around = new Map<Mark, number>();
  const filled = new Set<number>();
  const open: { readonly pair: number; isFilled: boolean }[] = [{ pair: -1, isFilled: false }];
  const fill = (): void => {
    const last = open.at(-1);
    if (last) last.isFilled = true;
  };
  for (const [nth, text] of between.entries()) {
    if (/\S/u.test(text)) fill();
    for (const mark of groups[nth] ?? []) {
      if (mark.isSolid) fill();
      if (mark.kind === 'close') {
        const last = open.pop();
        if (last?.pair !== mark.pair) return null;
        if (last.isFilled) {
          filled.add(last.pair);
          fill();
        }
      }
      around.set(mark, open.at(-1)?.pair ?? -1);
      if (mark.kind === 'open') open.push({ pair: mark.pair, isFilled: false });
    }
  }
  return open.length === 1 ? { around, filled } : null;
};

const NBSP: Readonly<Record<MarkupFormat, string>> = { html: '&nbsp;', xml: '&#160;' };
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (text: string, format: MarkupFormat): string =>
  text.replace(/[&<>\u00a0]/g, (character) => ESCAPES[character] ?? NBSP[format]);

/** Null: it would end the CDATA section. */
const uncut = (text: string): string | null => (text.includes(']]>') ? null : text);
