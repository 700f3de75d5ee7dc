import { chineseGloss } from './chinese.js';
import { Lexicon, type Word } from './lexicon.js';
import type { Context } from './clause.js';
import { transfer } from './transfer.js';

let lexicon: Promise<Lexicon> | undefined;

/** Reads the dictionaries (about 0.3 s), so that the first gloss need not wait for them. */
export const loadGloss = async (): Promise<void> => void (await (lexicon ??= Lexicon.load()));

/**
 * Chinese (simplified) to English or English to Chinese, word by word and with a few rules of word order. It is a gloss and is labelled and
 * priced as one (decisions §4). Line breaks, links, addresses and placeholders stay as they are.
 */
export async function gloss(text: string, target: 'zh' | 'en' = 'en'): Promise<string> {
  const words = await (lexicon ??= Lexicon.load());
  const { masked, restore } = maskSpecial(text);
  const glossed = masked
    .split(/(\s*\n\s*)/)
    .map((line) => glossLine(line, target, words))
    .join('');
  const said = restore(glossed);
  // Only words without an equivalent: an empty answer would look like a failure.
  return said.trim() === '' ? text : said;
}

/** White space at the ends stays, and so does a line without any word of the source language. */
function glossLine(line: string, target: 'zh' | 'en', words: Lexicon): string {
  const [, before = '', middle = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(line) ?? [];
  if (!(target === 'en' ? /\p{Script=Han}/u : /\p{Script=Latin}/u).test(middle)) return line;
  return before + (target === 'en' ? englishLine(middle, words) : chineseGloss(middle, words)) + after;
}

const SPECIAL =
  /[\uE000-\uF8FF]|https?:\/\/[^\s\p{Script=Han}，。？！；、）”]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\{[^{}\n]*\}|<[^<>\n]+>|\p{Extended_Pictographic}(?:\u200D\p{Extended_Pictographic}|\uFE0F)*/gu;

/** Puts a character of the private use area in place of each piece that has no words. */
function maskSpecial(text: string): { masked: string; restore: (said: string) => string } {
  const pieces: string[] = [];
  const masked = text.replace(SPECIAL, (piece) => String.fromCharCode(0xe000 + (pieces.push(piece) - 1)));
  return {
    masked,
    restore: (said) => said.replace(/[\uE000-\uF8FF]/g, (mark) => pieces[mark.charCodeAt(0) - 0xe000] ?? mark),
  };
}

const MARKS: Readonly<Record<string, string>> = {
  '，': ',', '。': '.', '？': '?', '！': '!', '：': ':', '；': ';', '、': ',', '（': '(', '）': ')',
}; // prettier-ignore

/** Longer runs without punctuation are no sentence, and are said word by word. */
const MAX_WORDS = 60;

/** Splits at punctuation, but not within figures or abbreviations. */
const BOUNDARY = /((?:[，。？！：；、（）“”…]|[,.?!:;()](?=\s|$|\p{Script=Han}))+\s*)/u;

function englishLine(line: string, words: Lexicon): string {
  let out = '';
  let context: Context = { isQuestion: false, subject: null, isFirst: true };
  const pieces = line.split(BOUNDARY);
  for (let at = 0; at < pieces.length; at += 2) {
    const [clause = '', mark = ''] = [pieces[at], pieces[at + 1]];
    if (clause.trim() !== '') {
      context = { ...context, isQuestion: /[？?]/.test(mark) };
      const found = wordsOf(clause, words);
      const english =
        found.length > MAX_WORDS ? found.map(({ forms }) => forms[0] ?? '').join(' ') : transfer(found, words, context);
      const begins = out.trim() === '' || /[.?!]\s*$/.test(out);
      const said = begins ? english.charAt(0).toUpperCase() + english.slice(1) : english;
      out += (out === '' || /[\s(“]$/.test(out) || said === '' ? '' : ' ') + said;
      if (context.asks && !mark.includes('?') && !mark.includes('？') && !/[，,]/.test(mark)) out += '?';
    }
    out += [...mark].map((character) => MARKS[character] ?? character).join('');
    if (!/^\s*[，、,]/.test(mark)) context = { ...context, subject: null, isFirst: true };
    else context = { ...context, isFirst: false };
  }
  return out.replace(/([?!])[.]/g, '$1');
}

const CURRENCIES: readonly (readonly [RegExp, (amount: string) => string])[] = [
  [/^(?:美元|美金|美刀|刀)/, (amount) => `$${amount}`],
  [/^欧元/, (amount) => `${amount} euros`],
  [/^英镑/, (amount) => `£${amount}`],
  [/^(?:元|块钱|块)(?!头)/, (amount) => `${amount} yuan`],
];
const CURRENCY = /^(?:美元|美金|美刀|刀|欧元|英镑|元|块钱|块)/;

const TOKEN =
  /[\uE000-\uF8FF]|([￥¥$€£])?(\d+(?:[.,]\d+)*)(%|(?:cm|mm|kg|ml|oz|km|GB|TB|W|V|g|m|h)\b)?|[A-Za-z][A-Za-z0-9'’&/+#-]*(?:\.[A-Za-z0-9]+)*|\p{Script=Han}+|\S/gu;

/** Latin words, figures and money are words of their own; the rest is segmented. */
function wordsOf(text: string, words: Lexicon): Word[] {
  const out: Word[] = [];
  let isMoney = false;
  for (const match of text.matchAll(TOKEN)) {
    const [piece, sign = '', figure = '', unit = ''] = match;
    const rest = text.slice(match.index + piece.length);
    const currency =
      figure !== '' && sign === '' && unit === '' ? CURRENCIES.find(([name]) => name.test(rest)) : undefined;
    if (/^\p{Script=Han}/u.test(piece)) out.push(...words.segment(isMoney ? piece.replace(CURRENCY, '') : piece));
    else if (currency) out.push({ zh: piece, tag: 'eng', forms: [currency[1](figure)] });
    else if (figure !== '' && sign === '' && unit === '') out.push({ zh: piece, tag: 'm', forms: [figure] });
    else if (/^[￥¥]/.test(piece)) out.push({ zh: piece, tag: 'eng', forms: [`${figure} yuan`] });
    else out.push({ zh: piece, tag: 'eng', forms: [piece] });
    isMoney = currency !== undefined;
  }
  return out;
}
