import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseActions } from './actions.js';
import { type Block, Index, parseBlocks, parseEntries } from './blocks.js';
import { tidyEnglish } from './goods.js';
import type { Effort, Pattern, Values } from './pattern.js';
import { slotReader } from './slots.js';
import {
  ACTION_KINDS,
  type Actions,
  type Entry,
  type Slot,
  Table,
  TABLE_KINDS,
  type TableKind,
  type Tables,
} from './tables.js';
import { type Token, tokenize, type Tongue } from './tokens.js';
import { chineseVariants, CONJUNCTIONS, englishVariants, startsWith, withoutParticles } from './variants.js';

/** More clauses than this are never one sentence of the phrasebook. */
const MAX_CLAUSES = 4;
/** Longer clauses are not searched. */
const MAX_TOKENS = 60;
/** Longer texts are no message: nobody may occupy the process with one. */
const MAX_CLAUSES_OF_TEXT = 40;
/** Lines looked at and steps of matching: ten times what 95 of 100 messages take, some 50 ms. */
const MAX_EFFORT = 30_000;

/**
 * Sentences of sellers and buyers in Chinese and English, as data (`apps/api/data/phrasebook/README.md`). A text is translated when each of
 * its clauses, or each run of neighbouring clauses, is a sentence of the book; its answer is then a real translation.
 */
export class Phrasebook {
  private readonly indexes: Partial<Record<Tongue, Index>> = {};

  private constructor(
    private readonly blocks: readonly Block[],
    private readonly tables: Tables,
    private readonly actions: Actions,
  ) {}

  /** How many sentences it has. */
  get size(): number {
    return this.blocks.length;
  }

  /** Parses every line. Throws on the first one that is not well formed. */
  check(): void {
    for (const block of this.blocks) for (const tongue of ['zh', 'en'] as const) void block[tongue].said;
  }

  /** Parses the lines of a language (about 0.3 s for ours) before the first text needs them. */
  warmUp(tongue: Tongue): void {
    this.index(tongue);
  }

  private index(tongue: Tongue): Index {
    return (this.indexes[tongue] ??= new Index(this.blocks, tongue));
  }

  /** Reads `<folder>/*.txt` and `<folder>/slots/*.tsv` of each folder; sentences of later folders win. Throws on a malformed line, naming it. */
  static async load(folders: readonly string[]): Promise<Phrasebook> {
    const blocks: Block[] = [];
    const actions: Actions = { service: [], act: [], case: [], outcome: [] };
    const entries = new Map<TableKind, Entry[]>(TABLE_KINDS.map((kind) => [kind, []]));
    for (const folder of folders) {
      const names = await readdir(folder);
      const own: Block[] = [];
      for (const name of names.filter((each) => each.endsWith('.txt')).sort())
        own.push(...parseBlocks(await readFile(join(folder, name), 'utf8'), name));
      blocks.unshift(...own);
      const table = (kind: string): Promise<string> =>
        readFile(join(folder, 'slots', `${kind}.tsv`), 'utf8').catch(() => '');
      for (const kind of TABLE_KINDS) entries.get(kind)?.unshift(...parseEntries(await table(kind)));
      for (const kind of ACTION_KINDS) actions[kind].unshift(...parseActions(await table(kind)));
    }
    const tables = Object.fromEntries([...entries].map(([kind, rows]) => [kind, new Table(rows)]));
    return new Phrasebook(blocks, tables as Tables, actions);
  }

  /** The translation of a whole text, or null when a part of it is not in the book. White space at the ends and line breaks stay. */
  translate(text: string, target: Tongue): string | null {
    if (text.trim() === '' || text.split(BOUNDARY).length > MAX_CLAUSES_OF_TEXT) return null;
    const search: Search = {
      target,
      source: target === 'en' ? 'zh' : 'en',
      known: new Map(),
      effort: { left: MAX_EFFORT },
    };
    const out: string[] = [];
    for (const piece of text.split(/(\s*\n\s*)/)) {
      if (piece.trim() === '') {
        out.push(piece);
        continue;
      }
      const [, before = '', middle = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(piece) ?? [];
      const said = this.line(middle, search);
      if (said === null) return null;
      out.push(before, said, after);
    }
    return out.join('');
  }

  private line(text: string, search: Search): string | null {
    const clauses = clausesOf(text);
    if (clauses.length === 0) return null;
    const said: Said[] = [];
    for (let at = 0; at < clauses.length;) {
      const run = this.run(clauses, at, search);
      if (!run) return null;
      said.push(run);
      at = run.next;
    }
    return search.target === 'en' ? joinEnglish(said) : joinChinese(said);
  }

  /** The longest run of clauses from `at` that is one sentence. */
  private run(clauses: readonly Clause[], at: number, search: Search): Said | null {
    let next = Math.min(clauses.length, at + MAX_CLAUSES);
    while (next > at + 1 && !areJoined(clauses.slice(at, next), search.source)) next -= 1;
    for (; next > at; next--) {
      const run = clauses.slice(at, next);
      const tokens = run.flatMap((clause) => clause.tokens);
      const end = run.at(-1)?.mark ?? '';
      const text = this.sentence({ tokens, isQuestion: /[?？]/.test(end) }, search);
      if (text !== null) return { text, next, mark: end };
    }
    return null;
  }

  /** The same clause may come in several windows: it is searched once. */
  private sentence(asked: Asked, search: Search): string | null {
    const key = (asked.isQuestion ? '?' : '') + asked.tokens.map(({ text }) => text).join(' ');
    const known = search.known.get(key);
    if (known !== undefined) return known;
    const found = this.inAnyWay(asked, search);
    search.known.set(key, found);
    return found;
  }

  private inAnyWay({ tokens, isQuestion }: Asked, search: Search): string | null {
    const { source } = search;
    const asked = source === 'zh' ? withoutParticles(tokens) : tokens;
    if (asked.length === 0 || asked.length > MAX_TOKENS) return null;
    for (const variant of source === 'zh' ? chineseVariants(asked) : englishVariants(asked)) {
      const found = this.exact({ tokens: variant, isQuestion }, search);
      if (found !== null) return found;
    }
    return this.connected({ tokens: asked, isQuestion }, search);
  }

  /** A conjunction and a sentence of the book. */
  private connected({ tokens, isQuestion }: Asked, search: Search): string | null {
    const { source, target } = search;
    const link = CONJUNCTIONS.find((each) => startsWith(tokens, each[source]));
    if (!link || tokens.length === link[source].length) return null;
    const said = this.sentence({ tokens: tokens.slice(link[source].length), isQuestion }, search);
    if (said === null) return null;
    if (target === 'zh') return link.zh.join('') + said;
    const rest = /^(?:I\b|\p{Lu}\S*\p{Lu})/u.test(said) ? said : said.charAt(0).toLowerCase() + said.slice(1);
    return `${link.sayEn} ${rest}`;
  }

  private exact({ tokens, isQuestion }: Asked, { source, target, effort }: Search): string | null {
    const read = slotReader({ tongue: source, tokens, tables: this.tables, actions: this.actions });
    for (const { pattern, block } of this.index(source).candidates(tokens, effort)) {
      // 有现货 with a question mark is a question, which the statement does not translate.
      if (isQuestion && !block[source].said.isQuestion) continue;
      if (effort.left <= 0) return null;
      const values = pattern.match(tokens, read, effort);
      if (values) return say(block[target].said, values, target);
    }
    return null;
  }
}

const say = (pattern: Pattern, values: Values, tongue: Tongue): string => {
  const text = pattern.say(({ name, form }: Slot) => values.get(name)?.(tongue, form) ?? '');
  const tidy = tongue === 'en' ? tidyEnglish(text) : text;
  return tidy.charAt(0).toUpperCase() + tidy.slice(1);
};

type Asked = { readonly tokens: readonly Token[]; readonly isQuestion: boolean };

/** One text: what is known of its clauses, and what may still be spent on it. */
type Search = {
  readonly source: Tongue;
  readonly target: Tongue;
  readonly known: Map<string, string | null>;
  readonly effort: Effort;
};

type Clause = { readonly tokens: readonly Token[]; readonly mark: string };

/** Punctuation, but not inside figures (1,000 and 3.5) or abbreviations of one letter. */
const BOUNDARY = /(?:[。！？；、!?;…~]|\.(?![\p{L}\d])|[,，](?!(?<=\d.)\d{3}(?!\d)))+\s*/u;

const clausesOf = (text: string): Clause[] => {
  const pieces = text.split(new RegExp(`(${BOUNDARY.source})`, 'u'));
  const clauses = pieces.flatMap((words, at) =>
    at % 2 === 0 ? [{ tokens: tokenize(words), mark: (pieces[at + 1] ?? '').trim() }] : [],
  );
  return clauses.filter(({ tokens }) => tokens.length > 0);
};

/** Shorter clauses are answers of their own: "没，有现货" is not 没有现货. */
const SHORTEST_JOINED = { zh: 3, en: 2 } as const;

/** Whether clauses may be one sentence: commas between them, and nothing that denies or answers by itself. */
const areJoined = (clauses: readonly Clause[], source: Tongue): boolean =>
  clauses.every(({ tokens, mark }, at) => {
    const isLast = at === clauses.length - 1;
    const [first, last] = [tokens[0]?.norm ?? '', tokens.at(-1)?.norm ?? ''];
    return (
      tokens.length >= SHORTEST_JOINED[source] &&
      (isLast || /^[，,、]$/.test(mark)) &&
      !/^(?:not|no)$/.test(last) &&
      (at === 0 || !/^(?:not|no)$/.test(first))
    );
  });

type Said = { readonly text: string; readonly next: number; readonly mark: string };

const isComma = (mark: string): boolean => /^[，,、;；~]?$/.test(mark);

/** Only what is no sentence of its own is joined by a comma: a greeting, thanks, yes and no. */
const INTERJECTION =
  /^(?:hi|hi there|hello|hey|dear|dear customer|thanks|thank you|thanks a lot|ok|okay|yes|no|sure|sorry|of course|all right|no problem|please|good morning|good afternoon|good evening)[.!]$/i;

const joinEnglish = (said: readonly Said[]): string =>
  said.reduce((text, { text: next }, at) => {
    const before = said[at - 1];
    if (!before) return next;
    if (!isComma(before.mark) || !INTERJECTION.test(before.text)) return `${text} ${next}`;
    const isName = /^(?:I\b|\p{Lu}\S*\p{Lu})/u.test(next);
    return `${text.replace(/[.!]$/, '')}, ${isName ? next : next.charAt(0).toLowerCase() + next.slice(1)}`;
  }, '');

const joinChinese = (said: readonly Said[]): string =>
  said
    .map(({ text, mark }, at) => (at < said.length - 1 && isComma(mark) ? text.replace(/[。！]$/, '，') : text))
    .join('');
