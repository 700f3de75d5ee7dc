import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { dataFile } from '../data-file.js';
import { CLASSIFIERS, HANDING_VERBS, OBJECTS, OVERRIDES, POSSESSIVES, PUNCTUATION } from './gloss-words.js';

/**
 * Simplified Chinese to English, word by word: each word's most common meaning in the order of the Chinese sentence, with a few rules for
 * readability. It is a gloss and is labelled and priced as one (decisions §4); CC-CEDICT, `apps/api/data/NOTICE.md`.
 */
export const gloss = async (text: string): Promise<string> => {
  const dictionary = await (words ??= load());
  const out: Piece[] = [];
  for (const [piece] of text.matchAll(
    /\p{Script=Han}+|[，。？！：；、（）“”]|[^\p{Script=Han}，。？！：；、（）“”]+/gu,
  )) {
    if (/^\p{Script=Han}/u.test(piece)) {
      const before = out.at(-1)?.text ?? '';
      for (const meaning of meanings(segment(piece, dictionary), dictionary, before))
        out.push({ text: meaning, isMeaning: true });
    } else out.push({ text: PUNCTUATION.get(piece) ?? piece, isMeaning: false });
  }
  const english = out.reduce(append, '');
  // Only words without an English equivalent: an empty answer would look like a failure.
  return english.trim() === '' ? text : english;
};

/** A word's meaning, which may be changed, or the writer's own text (figures, Latin text, links, white space). */
type Piece = { readonly text: string; readonly isMeaning: boolean };

type Dictionary = ReadonlyMap<string, string>;

let words: Promise<Dictionary> | undefined;

const load = async (): Promise<Dictionary> => {
  const table = (await promisify(gunzip)(await readFile(dataFile('gloss-zh-en.tsv.gz')))).toString('utf8');
  const dictionary = new Map<string, string>();
  for (let start = 0; start < table.length;) {
    const tab = table.indexOf('\t', start);
    const end = table.indexOf('\n', tab);
    dictionary.set(table.slice(start, tab), table.slice(tab + 1, end));
    start = end + 1;
  }
  return dictionary;
};

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

// The segments of `Intl.Segmenter`, split where no meaning is known, and joined where an override spans two of them.
const segment = (han: string, dictionary: Dictionary): string[] => {
  const found: string[] = [];
  for (const { segment: word } of segmenter.segment(han)) {
    const characters = [...word];
    for (let at = 0; at < characters.length;) {
      let length = characters.length - at;
      const part = (): string => characters.slice(at, at + length).join('');
      while (length > 1 && !OVERRIDES.has(part()) && !dictionary.has(part())) length -= 1;
      const last = found.at(-1);
      if (last !== undefined && OVERRIDES.has(last + part())) found[found.length - 1] = last + part();
      else found.push(part());
      at += length;
    }
  }
  return verbFirst(found);
};

// 把 puts the object before the verb; in English it comes after.
const verbFirst = (found: string[]): string[] => {
  const ba = found.indexOf('把');
  const verb = found.findIndex((word, at) => at > ba && HANDING_VERBS.has(word));
  if (ba < 0 || verb < 0) return found;
  const [head = '', ...tail] = HANDING_VERBS.get(found[verb] ?? '') ?? [];
  return [...found.slice(0, ba), head, ...found.slice(ba + 1, verb), ...tail, ...found.slice(verb + 1)];
};

const NUMBER = /(?:[一二三四五六七八九十百千万两几半每\d]|[这那])$/;

const meanings = (found: readonly string[], dictionary: Dictionary, before: string): string[] =>
  found.flatMap((word, at) => {
    const previous = found[at - 1] ?? before;
    if (word === '吗') return at === found.length - 1 ? ['?'] : [];
    if (CLASSIFIERS.has(word) && NUMBER.test(previous)) return [];
    if (found[at + 1] === '的' && POSSESSIVES.has(word)) return [POSSESSIVES.get(word) ?? ''];
    if (previous.endsWith('给') && OBJECTS.has(word)) return [OBJECTS.get(word) ?? ''];
    const meaning = OVERRIDES.get(word) ?? dictionary.get(word) ?? word;
    return meaning === '' ? [] : [meaning];
  });

// Searches from the end: from the front it would read the whole text again for every word.
const beginsSentence = (text: string): boolean => {
  const said = text.trimEnd();
  return said === '' || /[.?!]$/.test(said.slice(-1)) || text.includes('\n', said.length);
};

// A space between words, unless the text already has white space, within brackets and quotes, or before punctuation. Sentences begin with a
// capital.
const append = (text: string, piece: Piece): string => {
  if (text.endsWith('?') && /^[?.]$/.test(piece.text)) return text;
  const touches = /^[\s(“]?$/u.test(text.slice(-1)) || /^[\s,.?!:;)”]/u.test(piece.text);
  const begins = piece.isMeaning && beginsSentence(text);
  const word = begins ? piece.text.charAt(0).toUpperCase() + piece.text.slice(1) : piece.text;
  return touches ? text + word : `${text} ${word}`;
};
