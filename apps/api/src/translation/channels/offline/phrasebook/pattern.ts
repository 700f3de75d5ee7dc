import { type Token, tokenize } from './tokens.js';
import { isSlotKind, type Slot, type SlotReader, type SlotValue } from './tables.js';

type Node =
  | { readonly type: 'words'; readonly words: readonly string[]; readonly raw: string }
  | { readonly type: 'slot'; readonly slot: Slot }
  | { readonly type: 'choice'; readonly options: readonly Sequence[]; readonly optional: boolean };
type Sequence = readonly Node[];

/** The values of a pattern's slots, by name. */
export type Values = ReadonlyMap<string, SlotValue>;

/** What may still be spent, in steps of matching. */
export type Effort = { left: number };

/** More steps than any honest match takes: data that an operator adds must not be able to stop the service. */
const MAX_STEPS = 2_000;

type Place = {
  readonly tokens: readonly Token[];
  readonly from: number;
  readonly read: SlotReader;
  readonly effort: Effort;
};

/**
 * One line of the phrasebook. `[x]` may be missing, `(a|b)` are alternatives, `{kind}` is a slot. Throws on a line that is not well formed.
 */
export class Pattern {
  readonly slots: readonly Slot[];
  /** Each of these groups must have a word in the text. */
  readonly required: readonly (readonly string[])[];
  /** The words that a match can begin with; null: any. */
  readonly firstWords: ReadonlySet<string> | null;
  readonly isQuestion: boolean;
  private readonly sequence: Sequence;

  constructor(readonly line: string) {
    this.isQuestion = /[?？]\s*$/.test(line);
    this.sequence = parse(line);
    this.slots = slotsOf(this.sequence);
    this.firstWords = firstWordsOf(this.sequence);
    this.required = requiredOf(this.sequence);
  }

  /** The slots' values when the pattern matches all `tokens`, otherwise null. */
  match(tokens: readonly Token[], read: SlotReader, effort: Effort = { left: MAX_STEPS }): Values | null {
    return this.matchFrom({ tokens, from: 0, read, effort }, (end) => end === tokens.length);
  }

  /** The places where a match from `at` on ends. The pattern must have no slots. */
  endsFrom(tokens: readonly Token[], at: number): ReadonlySet<number> {
    const ends = new Set<number>();
    const note = (end: number): boolean => {
      ends.add(end);
      return false;
    };
    this.matchFrom({ tokens, from: at, read: () => [], effort: { left: MAX_STEPS } }, note);
    return ends;
  }

  private matchFrom({ tokens, from, read, effort }: Place, accept: (end: number) => boolean): Values | null {
    const values = new Map<string, SlotValue>();
    let steps = 0;
    const run = (sequence: Sequence, index: number, at: number, then: (at: number) => boolean): boolean => {
      if (++steps > MAX_STEPS || --effort.left < 0) return false;
      const node = sequence[index];
      if (!node) return then(at);
      const next = (end: number): boolean => run(sequence, index + 1, end, then);
      if (node.type === 'words') {
        const end = at + node.words.length;
        return node.words.every((word, offset) => tokens[at + offset]?.norm === word) && next(end);
      }
      if (node.type === 'choice') {
        return node.options.some((option) => run(option, 0, at, next)) || (node.optional && next(at));
      }
      const { name } = node.slot;
      for (const { end, value } of read(node.slot, at)) {
        values.set(name, value);
        if (next(end)) return true;
      }
      values.delete(name);
      return false;
    };
    return run(this.sequence, 0, from, accept) ? values : null;
  }

  /** The line as it is said: alternatives by their first, nothing optional, each slot as `render` says. */
  say(render: (slot: Slot) => string): string {
    const said = (sequence: Sequence): string =>
      sequence
        .map((node) => {
          if (node.type === 'words') return node.raw;
          if (node.type === 'slot') return render(node.slot);
          return node.optional ? '' : said(node.options[0] ?? []);
        })
        .join('');
    return said(this.sequence).replace(/ {2,}/g, ' ').trim();
  }
}

/** The same pieces of text occur in many lines. */
const known = new Map<string, readonly string[]>();
const wordsOf = (raw: string): readonly string[] => {
  const words = known.get(raw) ?? tokenize(raw).map(({ norm }) => norm);
  known.set(raw, words);
  return words;
};

const CLOSING: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' };

function parse(line: string): Sequence {
  const nodes: Node[] = [];
  let raw = '';
  const flush = (): void => {
    if (raw !== '') nodes.push({ type: 'words', words: wordsOf(raw), raw });
    raw = '';
  };
  for (let at = 0; at < line.length;) {
    const open = line.charAt(at);
    if (!(open in CLOSING)) {
      if (/[\])}|]/.test(open)) throw new Error(`unexpected ${open} in: ${line}`);
      raw += open;
      at += 1;
      continue;
    }
    const end = closingOf(line, at);
    const inner = line.slice(at + 1, end);
    flush();
    if (open === '{') {
      const slot = slotOf(inner, line);
      if (slot.kind === 'goods') nodes.push(...withoutArticle(nodes.pop()));
      nodes.push({ type: 'slot', slot });
    } else nodes.push({ type: 'choice', options: alternatives(inner).map(parse), optional: open === '[' });
    at = end + 1;
  }
  flush();
  return nodes;
}

const ARTICLE = /^(?:the|an?|my|your|this|that|these)$/;

/** An article before goods is said, but not looked for: the text's own is read with the goods. */
const withoutArticle = (node: Node | undefined): Node[] => {
  if (node?.type !== 'words') return node ? [node] : [];
  return [ARTICLE.test(node.words.at(-1) ?? '') ? { ...node, words: node.words.slice(0, -1) } : node];
};

function closingOf(line: string, from: number): number {
  const stack: string[] = [];
  for (let at = from; at < line.length; at++) {
    const character = line.charAt(at);
    const closing = CLOSING[character];
    if (closing !== undefined) stack.push(closing);
    else if (character === stack.at(-1)) stack.pop();
    if (stack.length === 0) return at;
  }
  throw new Error(`a bracket is not closed in: ${line}`);
}

function alternatives(inner: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of inner) {
    if (character in CLOSING) depth += 1;
    if (/[\])}]/.test(character)) depth -= 1;
    if (character === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts;
}

function slotOf(text: string, line: string): Slot {
  const [, kind = '', number = '', form = ''] = /^([a-z]+)(\d*)(?::([a-z-]+))?$/.exec(text) ?? [];
  if (!isSlotKind(kind)) throw new Error(`{${text}} is no slot in: ${line}`);
  return { name: kind + number, kind, form };
}

const slotsOf = (sequence: Sequence): Slot[] =>
  sequence.flatMap((node) => {
    if (node.type === 'slot') return [node.slot];
    return node.type === 'choice' ? node.options.flatMap(slotsOf) : [];
  });

const canBeEmpty = (sequence: Sequence): boolean =>
  sequence.every(
    (node) =>
      (node.type === 'words' && node.words.length === 0) ||
      (node.type === 'choice' && (node.optional || node.options.some(canBeEmpty))),
  );

function firstWordsOf(sequence: Sequence): ReadonlySet<string> | null {
  const found = new Set<string>();
  for (const node of sequence) {
    if (node.type === 'slot') return null;
    if (node.type === 'words') {
      const [first] = node.words;
      if (first === undefined) continue;
      return found.add(first);
    }
    for (const option of node.options) {
      const words = firstWordsOf(option);
      if (words === null) return null;
      for (const word of words) found.add(word);
    }
    if (!node.optional && !node.options.some(canBeEmpty)) return found;
  }
  return found;
}

const requiredOf = (sequence: Sequence): string[][] =>
  sequence.flatMap((node) => {
    if (node.type === 'words') return node.words.map((word) => [word]);
    if (node.type === 'slot' || node.optional || node.options.some(canBeEmpty)) return [];
    const firsts = node.options.map((option) => requiredOf(option)[0]);
    return firsts.every((words) => words !== undefined) ? [firsts.flat()] : [];
  });
