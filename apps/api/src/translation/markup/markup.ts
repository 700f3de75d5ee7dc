import type { TermIndex } from '@yiqiao/domain/glossary';
import { codePoints } from '@yiqiao/domain/members';
import type { MarkupFormat } from '@yiqiao/domain/text-formats';
import { Sentence } from './sentence.js';
import { blocksOf, type Node } from './structure.js';

/** A text with markup, read once: its sentences, and the source around them, which stays as it is. */
export class Markup {
  private constructor(
    private readonly source: string,
    /** In order, apart. */
    private readonly places: readonly { readonly start: number; readonly end: number; readonly sentence: Sentence }[],
  ) {}

  /** Takes any source. Null: there is nothing to translate in it. */
  static async read(source: string, format: MarkupFormat): Promise<Markup | null> {
    const blocks = await blocksOf(source, format);
    const places = blocks.flatMap((block) => {
      const nodes = trimmed(source, block);
      const sentence = nodes.length === 0 ? null : Sentence.of(source, nodes, format);
      return sentence ? [{ start: nodes[0]?.start ?? 0, end: nodes.at(-1)?.end ?? 0, sentence }] : [];
    });
    return places.length === 0 ? null : new Markup(source, places);
  }

  /** Without tags inside of terms. */
  withWhole(terms: TermIndex): Markup {
    return new Markup(
      this.source,
      this.places.map((place) => ({ ...place, sentence: place.sentence.withWhole(terms) })),
    );
  }

  get sentences(): readonly Sentence[] {
    return this.places.map(({ sentence }) => sentence);
  }

  /** Everything that is translated, without the markup. */
  get words(): string {
    return this.sentences.map(({ words }) => words).join('\n');
  }

  /** What is charged: the code points of the words, entities decoded. */
  get codePoints(): number {
    return this.sentences.reduce((sum, { words }) => sum + codePoints(words), 0);
  }

  /** The source with these sentences, in order; null: one stays as it is. */
  write(sentences: readonly (string | null)[]): string {
    let written = '';
    let from = 0;
    for (const [nth, { start, end }] of this.places.entries()) {
      written += this.source.slice(from, start) + (sentences[nth] ?? this.source.slice(start, end));
      from = end;
    }
    return written + this.source.slice(from);
  }
}

/** The nodes of a block without the white space at its ends, and without the tags and pictures that stand around all of its words. */
const trimmed = (source: string, block: readonly Node[]): readonly Node[] => {
  const nodes = block.flatMap((node) => (node.kind === 'words' ? stretches(source, node) : [node]));
  const ends = new Map(nodes.flatMap((node, at) => (node.kind === 'close' ? [[node.pair, at] as const] : [])));
  let from = 0;
  let to = nodes.length;
  while (from < to) {
    const first = nodes[from];
    if (first && isEdge(first)) from += 1;
    else if (isEdge(nodes[to - 1])) to -= 1;
    else if (first?.kind === 'open' && ends.get(first.pair) === to - 1) {
      from += 1;
      to -= 1;
    } else break;
  }
  return nodes.slice(from, to);
};

const isEdge = (node: Node | undefined): boolean =>
  node?.kind === 'words' ? !/\S/u.test(node.text) : node?.kind === 'atom' && !node.shows;

/** The white space at the ends as nodes of their own, where it stands in the source as such. */
const stretches = (source: string, node: Extract<Node, { kind: 'words' }>): readonly Node[] => {
  const { text, start, end } = node;
  const body = text.trim();
  if (body === '' || body.length === text.length || source.slice(start, end) !== text) return [node];
  const from = start + text.indexOf(body);
  const to = from + body.length;
  const cut = (a: number, b: number): Node[] =>
    a < b ? [{ ...node, text: source.slice(a, b), start: a, end: b }] : [];
  return [...cut(start, from), ...cut(from, to), ...cut(to, end)];
};
