/** The two languages of the phrasebook. */
export type Tongue = 'zh' | 'en';

/** A word of English or a character of Chinese. `norm` is compared; `text` is what was written. */
export type Token = { readonly norm: string; readonly text: string };

// A placeholder of the glossary, an order number, a figure, a sign before one, a currency or percent sign, a word, or a single Han character.
// Brackets, signs and foreign digits are tokens too, so that no sentence matches a text with them. Other punctuation separates.
const TOKEN =
  /\{\d{1,4}\}|(?=[A-Za-z0-9-]*\d)(?=[A-Za-z0-9-]*[A-Za-z])[A-Za-z0-9]{2,}(?:-[A-Za-z0-9]+)*|\d+(?:[.,]\d+)*|-(?=\s*\d)|[$€£¥%~+&#@/()[\]<>_]|\p{Script=Han}|[\p{L}\p{M}]+(?:'\p{L}+)*|[\p{Extended_Pictographic}\p{S}\p{N}]/gu;

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bcan't\b/g, 'can not'],
  [/\bcannot\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/\bshan't\b/g, 'shall not'],
  [/n't\b/g, ' not'],
  [/\blet's\b/g, 'let us'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'d\b/g, ' would'],
  [/'m\b/g, ' am'],
  [/'s\b/g, ' is'],
];

/** Number makes no difference here: the Chinese of "is it" and "are they" is the same. */
const SINGULAR: Readonly<Record<string, string>> = { are: 'is', were: 'was', has: 'have', does: 'do' };

const expand = (word: string): string[] => contracted(word).map((each) => SINGULAR[each] ?? each);

const contracted = (word: string): string[] => {
  if (!word.includes("'")) return word === 'cannot' ? ['can', 'not'] : [word];
  return CONTRACTIONS.reduce((text, [from, to]) => text.replace(from, to), word)
    .replaceAll("'", '')
    .split(' ')
    .filter((part) => part !== '');
};

/** Chinese words that tell nothing apart here: 你们 is 你, and 的 and 一下 may be there or not. */
const alike = (text: string): string =>
  text
    .replace(/您们|你们|您|妳/g, '你')
    .replace(/咱们|咱/g, '我们')
    .replace(/啥/g, '什么')
    .replace(/([哪这那])儿/g, '$1里')
    .replace(/(?:多长|多少)时间/g, '多久')
    .replace(/一下|的/g, '');

export const tokenize = (text: string): Token[] => {
  const plain = alike(
    text
      .normalize('NFKC')
      .replace(/[’‘`]/g, "'")
      .replace(/[−–—](?=\s*\d)/g, '-'),
  );
  return [...plain.matchAll(TOKEN)].flatMap(([piece]) =>
    expand(piece.toLowerCase()).map((norm) => ({ norm, text: piece })),
  );
};
