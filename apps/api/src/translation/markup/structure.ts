import type { MarkupFormat } from '@yiqiao/domain/text-formats';
import type { TextRange } from '../text/ranges.js';
import { type Token, tokensOf, VERBATIM } from './tokens.js';

/**
 * A part of a source between two cuts. `open` and `close` of the same `pair` stand in the same block, properly nested. `words`: text to
 * translate. `atom`: stays as it is, in its place in the sentence; `shows`: a reader sees text in it.
 */
export type Node = TextRange &
  (
    | { readonly kind: 'words'; readonly text: string; readonly isCdata: boolean }
    | { readonly kind: 'open' | 'close'; readonly pair: number }
    | { readonly kind: 'atom'; readonly shows: boolean }
  );

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** The elements that stand between sentences. Unknown elements are inline, as in a browser. */
const BLOCKS = words(`
  address article aside base blockquote body br button caption center col colgroup dd details dialog dir div dl dt fieldset figcaption
  figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html input legend li link listing main menu meta nav noscript
  noembed noframes iframe ol optgroup option p plaintext pre script search section select slot style summary table tbody td template textarea
  tfoot th thead title tr ul xmp
`);

/** Not translated unless an attribute says so: program code, and what is drawn or played. */
const KEPT = words('code kbd samp var pre tt math svg audio video canvas object applet');

/** The start tags that end a paragraph, and those that end an element of their own kind. */
const ENDS_PARAGRAPH = words(`
  address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup
  hr main menu nav ol p pre search section table ul
`);
const ENDS: Readonly<Record<string, ReadonlySet<string>>> = {
  li: words('li'),
  dt: words('dt dd'),
  dd: words('dt dd'),
  option: words('option'),
  optgroup: words('option optgroup'),
  td: words('td th'),
  th: words('td th'),
  tr: words('td th tr'),
  tbody: words('td th tr thead tbody tfoot'),
  thead: words('td th tr thead tbody tfoot'),
  tfoot: words('td th tr thead tbody tfoot'),
};

/** A reference that neither HTML nor XML defines, as a document type may. */
const UNKNOWN_ENTITY = /&[A-Za-z_][\w.:-]{0,63};/g;

/** The blocks of a source: the nodes between two cuts. Takes any source; linear in its length, whatever the nesting. */
export const blocksOf = async (source: string, format: MarkupFormat): Promise<readonly (readonly Node[])[]> => {
  const tokens = await tokensOf(source, format);
  const { pairs, states, inline } = elementsOf(tokens, format);
  const isCut = cutsOf(tokens, pairs, inline);
  const blocks: Node[][] = [[]];
  for (const [at, token] of tokens.entries()) {
    const { start, end } = token;
    if (isCut[at] === 1) blocks.push([]);
    else if (token.kind === 'open') blocks.at(-1)?.push({ kind: 'open', pair: at, start, end });
    else if (token.kind === 'close') blocks.at(-1)?.push({ kind: 'close', pair: pairs[at] ?? at, start, end });
    else if (token.kind === 'text' || token.kind === 'cdata')
      blocks.at(-1)?.push(...textNodes(source, token, states[at] === 1));
    else blocks.at(-1)?.push({ kind: 'atom', shows: false, start, end });
  }
  return blocks.filter((block) => block.length > 0).map(collapsed);
};

const textNodes = (
  source: string,
  token: Extract<Token, { kind: 'text' | 'cdata' }>,
  translated: boolean,
): readonly Node[] => {
  const { start, end, text } = token;
  if (!translated) return [{ kind: 'atom', shows: /\S/u.test(text), start, end }];
  const isCdata = token.kind === 'cdata';
  const isLiteral = source.slice(start, end) === text;
  if (isCdata || !isLiteral || !text.includes('&')) return [{ kind: 'words', isCdata, text, start, end }];
  const nodes: Node[] = [];
  let at = 0;
  const wordsUpTo = (to: number): void => {
    if (at < to) nodes.push({ kind: 'words', isCdata, text: text.slice(at, to), start: start + at, end: start + to });
  };
  for (const { 0: found, index } of text.matchAll(UNKNOWN_ENTITY)) {
    wordsUpTo(index);
    at = index + found.length;
    nodes.push({ kind: 'atom', shows: true, start: start + index, end: start + at });
  }
  wordsUpTo(text.length);
  return nodes;
};

type Open = {
  readonly at: number;
  readonly name: string;
  readonly translated: boolean;
  readonly inline: boolean;
};

type Elements = {
  /** By token: the number of the start or end tag that belongs to it, −1 without one. */
  readonly pairs: Int32Array;
  /** By token: 1 where text is to be translated. */
  readonly states: Uint8Array;
  /** By token: 1 where a tag stands within a sentence. */
  readonly inline: Uint8Array;
};

/** Matches end tags with start tags as forgivingly as HTML does, in constant time each. */
const elementsOf = (tokens: readonly Token[], format: MarkupFormat): Elements => {
  const pairs = new Int32Array(tokens.length).fill(-1);
  const states = new Uint8Array(tokens.length);
  const inline = new Uint8Array(tokens.length);
  const isMixed = format === 'xml' ? mixedOf(tokens) : null;
  const open: Open[] = [];
  /** By name: where in `open` its elements are. */
  const places = new Map<string, number[]>();
  const pop = (): Open | undefined => {
    const last = open.pop();
    if (last) places.get(last.name)?.pop();
    return last;
  };
  for (const [at, token] of tokens.entries()) {
    if (format === 'html' && (token.kind === 'open' || token.kind === 'single')) endImplied(open, token.name, pop);
    const parent = open.at(-1);
    states[at] = (parent?.translated ?? true) ? 1 : 0;
    if (token.kind === 'open' || token.kind === 'single') {
      const isInline = isMixed ? (parent?.inline ?? false) || isMixed.has(parent?.at ?? -1) : !BLOCKS.has(token.name);
      inline[at] = isInline ? 1 : 0;
      if (token.kind === 'single') continue;
      const translated = isTranslated(token, format, parent?.translated ?? true);
      places.set(token.name, places.get(token.name) ?? []);
      places.get(token.name)?.push(open.length);
      open.push({ at, name: token.name, translated, inline: isInline });
    } else if (token.kind === 'close') {
      const place = places.get(token.name)?.at(-1) ?? -1;
      if (place < 0) continue;
      while (open.length > place + 1) pop();
      const start = pop();
      if (!start) continue;
      pairs[at] = start.at;
      pairs[start.at] = at;
      inline[at] = start.inline ? 1 : 0;
    }
  }
  return { pairs, states, inline };
};

const endImplied = (open: readonly Open[], name: string, pop: () => unknown): void => {
  const ends = ENDS[name];
  for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
    if (!ends?.has(last.name) && !(last.name === 'p' && ENDS_PARAGRAPH.has(name))) return;
    pop();
  }
};

const isTranslated = (
  { name, attributes: { translate, className } }: Extract<Token, { kind: 'open' }>,
  format: MarkupFormat,
  inherited: boolean,
): boolean => {
  if (format === 'html' && VERBATIM.has(name) && name !== 'title') return false;
  const said = translate?.trim().toLowerCase();
  if (said === 'no') return false;
  if (said === 'yes' || said === '') return true;
  if (format === 'xml') return inherited;
  return inherited && !KEPT.has(name) && !(className?.split(/\s+/).includes('notranslate') ?? false);
};

/** The start tags of the XML elements that have text of their own, and −1 for the source: their children stand within a sentence. */
const mixedOf = (tokens: readonly Token[]): ReadonlySet<number> => {
  const mixed = new Set<number>();
  const open: number[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'open') open.push(at);
    else if (token.kind === 'close') open.pop();
    else if (token.kind === 'text' && /\S/.test(token.text)) mixed.add(open.at(-1) ?? -1);
  }
  return mixed;
};

/** By token: 1 where sentences end: at blocks, at tags without their other half, and at both tags of an element with a cut inside. */
const cutsOf = (tokens: readonly Token[], pairs: Int32Array, inline: Uint8Array): Uint8Array => {
  const isCut = new Uint8Array(tokens.length);
  const before = new Uint32Array(tokens.length + 1);
  for (const [at, token] of tokens.entries()) {
    const isTag = token.kind === 'open' || token.kind === 'close';
    if (isTag) isCut[at] = inline[at] === 0 || pairs[at] === -1 ? 1 : 0;
    else if (token.kind === 'single') isCut[at] = inline[at] === 0 ? 1 : 0;
    else if (token.kind === 'other')
      isCut[at] = tokens[at + 1]?.kind === 'cdata' || tokens[at - 1]?.kind === 'cdata' ? 1 : 0;
    before[at + 1] = (before[at] ?? 0) + (isCut[at] ?? 0);
  }
  for (const [at, end] of pairs.entries())
    if (end > at && (before[end] ?? 0) > (before[at] ?? 0)) isCut[at] = isCut[end] = 1;
  return isCut;
};

const LETTER = /\p{L}/u;

/** The same block with every element in which nothing is to be translated as one atom. */
const collapsed = (block: readonly Node[]): readonly Node[] => {
  const letters = new Uint32Array(block.length + 1);
  const shown = new Uint32Array(block.length + 1);
  const ends = new Map<number, number>();
  for (const [at, node] of block.entries()) {
    if (node.kind === 'close') ends.set(node.pair, at);
    letters[at + 1] = (letters[at] ?? 0) + (node.kind === 'words' && LETTER.test(node.text) ? 1 : 0);
    const shows = node.kind === 'words' ? /\S/.test(node.text) : node.kind === 'atom' && node.shows;
    shown[at + 1] = (shown[at] ?? 0) + (shows ? 1 : 0);
  }
  const nodes: Node[] = [];
  for (let at = 0; at < block.length; at += 1) {
    const node = block[at];
    if (node === undefined) continue;
    const end = node.kind === 'open' ? ends.get(node.pair) : undefined;
    if (end === undefined || letters[end] !== letters[at]) {
      nodes.push(node);
      continue;
    }
    nodes.push({ kind: 'atom', shows: shown[end] !== shown[at], start: node.start, end: block[end]?.end ?? node.end });
    at = end;
  }
  return nodes;
};
