import { type Token, tokenize } from './tokens.js';

/** Ways of saying the same that are tried in turn: without an opening, 能不能发货 for 能发货吗; and conjunctions, which are kept. */

export const startsWith = (tokens: readonly Token[], words: readonly string[]): boolean =>
  words.every((word, at) => tokens[at]?.norm === word);

/** Kept in the translation. */
export const CONJUNCTIONS = (
  [
    ['但是', 'but'],
    ['不过', 'but'],
    ['可是', 'but'],
    ['但', 'but'],
    ['因为', 'because'],
    ['所以', 'so'],
    ['而且', 'and'],
    ['然后', 'then'],
    ['另外', 'also'],
    ['如果', 'if'],
    ['不然', 'otherwise'],
    ['否则', 'otherwise'],
    ['其实', 'actually'],
    ['你好', 'hello,'],
    ['不好意思', 'sorry,'],
    ['亲', 'hi,'],
  ] as const
).map(([zh, en]) => ({ zh: [...zh], en: [en.replace(',', '')], sayEn: en.charAt(0).toUpperCase() + en.slice(1) }));

const OPENINGS_ZH = ['请问', '想问', '我想问', '问', '那么', '那', '麻烦你', '麻烦', '请你', '请'].map((opening) => [
  ...opening,
]);
const OPENINGS_EN = ['please', 'so', 'excuse me', 'may i ask', 'just wondering', 'ok'].map((opening) =>
  opening.split(' '),
);

const MAX_OPENINGS = 3;

function* withoutOpening(
  tokens: readonly Token[],
  openings: readonly (readonly string[])[],
): Generator<readonly Token[]> {
  let rest = tokens;
  yield rest;
  for (let count = 0; count < MAX_OPENINGS; count++) {
    const opening = openings.find((words) => words.length < rest.length && startsWith(rest, words));
    if (!opening) return;
    rest = rest.slice(opening.length);
    yield rest;
  }
}

/** 能不能发货 is 能发货吗, and the other way round. */
const CHOICES: readonly (readonly [string, string])[] = [
  ['能不能', '能'],
  ['可不可以', '可以'],
  ['可不可以', '能'],
  ['能不能', '可以'],
  ['会不会', '会'],
  ['是不是', '是'],
  ['有没有', '有'],
  ['要不要', '要'],
  ['需不需要', '需要'],
  ['支不支持', '支持'],
];

export function* chineseVariants(tokens: readonly Token[]): Generator<readonly Token[]> {
  for (const plain of withoutOpening(tokens, OPENINGS_ZH)) {
    yield plain;
    const text = plain.map(({ norm }) => norm);
    const isAsked = text.at(-1) === '吗';
    for (const [choice, verb] of CHOICES) {
      const from = isAsked ? [...verb] : [...choice];
      const at = text.findIndex((_, start) => from.every((word, offset) => text[start + offset] === word));
      if (at < 0) continue;
      const to = tokenize(isAsked ? choice : verb);
      const rest = plain.slice(at + from.length, isAsked ? -1 : undefined);
      yield [...plain.slice(0, at), ...to, ...rest, ...(isAsked ? [] : tokenize('吗'))];
    }
  }
}

export function* englishVariants(tokens: readonly Token[]): Generator<readonly Token[]> {
  yield* withoutOpening(tokens, OPENINGS_EN);
  if (tokens.at(-1)?.norm === 'please') yield tokens.slice(0, -1);
}

const PARTICLES = new Set('呢啊呀哦哈啦嘛哟喔噢诶'.split(''));

export const withoutParticles = (tokens: readonly Token[]): readonly Token[] => {
  const end = tokens.findLastIndex(({ norm }) => !PARTICLES.has(norm)) + 1;
  return end === 0 ? tokens : tokens.slice(0, end);
};
