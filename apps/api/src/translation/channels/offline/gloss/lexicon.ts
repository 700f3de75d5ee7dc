import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Jieba } from '@node-rs/jieba';
import { dict } from '@node-rs/jieba/dict.js';
import { dataFile } from '../../data-file.js';

/** A word in the text. `forms`: its English, whose meaning depends on `tag` (the head of `lexicon-zh-en.tsv`). */
export type Word = { readonly zh: string; readonly tag: string; readonly forms: readonly string[] };

type Senses = ReadonlyMap<string, readonly string[]>;

/** The trade's words come first; the general dictionary has one meaning for a word and no grammar. */
export class Lexicon {
  private reverse: ReadonlyMap<string, string> | undefined;

  private constructor(
    private readonly trade: ReadonlyMap<string, Senses>,
    private readonly general: ReadonlyMap<string, string>,
    private readonly jieba: Jieba,
  ) {}

  static async load(): Promise<Lexicon> {
    const trade = readTrade(await readFile(dataFile('lexicon-zh-en.tsv'), 'utf8'));
    const packed = await readFile(dataFile('gloss-zh-en.tsv.gz'));
    const general = readGeneral((await promisify(gunzip)(packed)).toString('utf8'));
    return new Lexicon(trade, general, Jieba.withDict(segmentation(trade, general)));
  }

  /** The words of a run of Chinese characters, with the sense that fits the tag. */
  segment(text: string): Word[] {
    return this.jieba
      .tag(text, false)
      .flatMap(({ word, tag }) => this.word(word, tag) ?? [...word].map((one) => this.single(one)));
  }

  /** A known word with a given tag, for rules that replace words. */
  find(zh: string, tag: string): Word | null {
    const forms = this.trade.get(zh)?.get(tag);
    return forms ? { zh, tag, forms } : null;
  }

  /** The word as another part of speech, where it is one. */
  as(word: Word, tag: string): Word {
    return this.find(word.zh, tag) ?? word;
  }

  /** The Chinese of the longest run of English words from the first, in their base forms too. */
  chinese(words: readonly string[]): { readonly zh: string; readonly length: number } | null {
    this.reverse ??= reversed(this.trade, this.general);
    for (let length = words.length; length > 0; length--) {
      const run = words.slice(0, length);
      const zh = this.reverse.get(run.join(' ')) ?? (length === 1 ? this.base(run[0] ?? '') : undefined);
      if (zh !== undefined) return { zh, length };
    }
    return null;
  }

  /** The Chinese of an inflected word. */
  private base(word: string): string | undefined {
    const stems = [
      word.replace(/['’]s$/, ''),
      word.replace(/s$/, ''),
      word.replace(/es$/, ''),
      word.replace(/ies$/, 'y'),
      word.replace(/ed$/, ''),
      word.replace(/d$/, ''),
      word.replace(/ing$/, ''),
      word.replace(/ing$/, 'e'),
    ];
    const stem = stems.find((each) => each !== word && this.reverse?.has(each));
    return stem === undefined ? undefined : this.reverse?.get(stem);
  }

  private word(zh: string, tag: string): Word | null {
    const senses = this.trade.get(zh);
    if (senses) {
      const fitting = [...senses].find(([each]) => each === tag || (each.length === 1 && tag.startsWith(each)));
      const [chosen, forms] = fitting ?? [...senses][0] ?? ['x', []];
      return { zh, tag: chosen, forms };
    }
    const meaning = this.general.get(zh);
    return meaning === undefined ? null : { zh, tag: simple(tag), forms: general(meaning, simple(tag)) };
  }

  private single(zh: string): Word {
    return this.word(zh, 'x') ?? { zh, tag: 'x', forms: [zh] };
  }
}

/** The dictionary says "to ship" and "(a) dress": the plain words are kept. */
const general = (meaning: string, tag: string): string[] => [tag === 'v' ? meaning.replace(/^to /, '') : meaning];

/** Jieba's finer tags, by their first letter; what is neither verb, adjective nor adverb is treated as a noun. */
const simple = (tag: string): string => {
  if (/^(?:v(?!n)|a(?!n)|d|r|m|q|p|c|t|f|ns)/.test(tag)) return tag.startsWith('ns') ? 'ns' : tag.charAt(0);
  return tag === 'x' ? 'x' : 'n';
};

function readTrade(text: string): Map<string, Map<string, readonly string[]>> {
  const trade = new Map<string, Map<string, readonly string[]>>();
  for (const line of text.split('\n')) {
    const [zh = '', tag = '', ...forms] = line.split('\t');
    if (zh.startsWith('#') || tag === '') continue;
    const senses = trade.get(zh) ?? new Map<string, readonly string[]>();
    if (!senses.has(tag))
      senses.set(
        tag,
        forms.map((form) => form.trim()),
      );
    trade.set(zh, senses);
  }
  return trade;
}

function readGeneral(text: string): Map<string, string> {
  const meanings = new Map<string, string>();
  for (let start = 0; start < text.length;) {
    const tab = text.indexOf('\t', start);
    const end = text.indexOf('\n', tab);
    meanings.set(text.slice(start, tab), text.slice(tab + 1, end));
    start = end + 1;
  }
  return meanings;
}

/** English to Chinese: the trade's words first, then the shortest word of the general dictionary. */
function reversed(
  trade: ReadonlyMap<string, Senses>,
  general: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>(ENGLISH_FUNCTION_WORDS);
  for (const [zh, senses] of trade)
    for (const [tag, forms] of senses)
      for (const form of tag === 'r' ? forms.slice(0, 3) : /^[nv]$/.test(tag) ? forms : forms.slice(0, 1)) {
        const key = form.toLowerCase();
        if (key.length > 1 && !found.has(key)) found.set(key, zh);
      }
  for (const [zh, meaning] of general) {
    const key = meaning.toLowerCase();
    const known = found.get(key);
    if (known === undefined) found.set(key, zh);
  }
  return found;
}

const ENGLISH_FUNCTION_WORDS: readonly (readonly [string, string])[] = Object.entries({
  i: '我', you: '您', he: '他', she: '她', it: '它', we: '我们', they: '他们', me: '我', him: '他', her: '她', us: '我们', them: '他们',
  my: '我的', your: '您的', his: '他的', our: '我们的', their: '他们的', is: '是', are: '是', am: '是', was: '是', were: '是', be: '是',
  and: '和', or: '或', but: '但是', not: '不', "don't": '不', "doesn't": '不', "didn't": '没有', "can't": '不能', "won't": '不会', "isn't": '不是',
  have: '有', has: '有', had: '有', can: '可以', could: '可以', will: '会', would: '会', "i'm": '我是', "it's": '它是', "i'd": '我', "we're": '我们是', "i've": '我',
  in: '在', on: '在', at: '在', for: '为', with: '用', from: '从', by: '由', this: '这个', that: '那个', these: '这些', those: '那些', what: '什么', "what's": '什么是',
  damaged: '损坏了', return: '退货', refund: '退款', 'want to': '想', get: '收到', ship: '发货', please: '请',
  who: '谁', when: '什么时候', where: '哪里', why: '为什么', how: '怎么', 'how much': '多少钱', 'how many': '多少', 'how long': '多久', yes: '是的', no: '没有',
}); // prettier-ignore

/** 不想, 一次, 太贵, 穿过: better read as two words when the one with a meaning is ours. */
const isPhrase = (word: string, trade: ReadonlyMap<string, Senses>): boolean =>
  (word.length > 1 &&
    /^[不没很太最都也可一二两三四五六七八九十几半每把]/.test(word) &&
    !/^[一二两三四五六七八九十百千万]+$/.test(word) &&
    trade.has(word.slice(1))) ||
  (word.endsWith('过') && trade.has(word.slice(0, -1)));

/** Jieba's dictionary without the words that we cannot translate, which it would cut as one; ours count as frequent. */
function segmentation(trade: ReadonlyMap<string, Senses>, general: ReadonlyMap<string, string>): Buffer {
  const lines: string[] = [];
  for (const line of dict.toString().split('\n')) {
    const [word = '', frequency = '1', tag = 'n'] = line.split(' ');
    const known = trade.get(word);
    if (known ? word.length === 1 : general.has(word) && !isPhrase(word, trade))
      lines.push(`${word} ${frequency} ${[...(known?.keys() ?? [])][0] ?? tag}`);
  }
  for (const [word, senses] of trade)
    if (word.length > 1) lines.push(`${word} ${20_000 * word.length} ${[...senses.keys()][0] ?? 'n'}`);
  return Buffer.from(lines.join('\n'));
}
