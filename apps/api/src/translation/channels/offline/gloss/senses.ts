import type { Lexicon, Word } from './lexicon.js';
import { isModal } from './english.js';

/** A word in its clause. */
export type Place = {
  readonly words: readonly Word[];
  readonly at: number;
  readonly before: Word | undefined;
  readonly after: Word | undefined;
};

export const isModalWord = ({ tag, forms: [form = ''] }: Word): boolean => tag === 'v' && WANTS.test(form);
const WANTS =
  /^(?:want to|would like to|need to|have to|should|can|can only|could|cannot|will|must|may|be able to|had better|dare to|willing to)$/;

const hasTag = (word: Word | undefined, tags: RegExp): boolean => word !== undefined && tags.test(word.tag);
const isFigure = (word: Word | undefined): boolean => hasTag(word, /^(?:m|num|eng)$/);
const isThing = (word: Word | undefined): boolean => hasTag(word, /^(?:[nrmqt]|ns|eng)$/);
const hasVerbAfter = ({ words, at }: Place): boolean => words.slice(at + 1).some(({ tag }) => tag === 'v');
const hasVerbBefore = ({ words, at }: Place): boolean =>
  words.slice(0, at).some((word) => word.tag === 'v' && word.zh !== '请' && !isModal(word.forms[0] ?? ''));

/** A preposition if it has an object and the clause another verb. */
const coverb = (place: Place): string =>
  isThing(place.after) && (hasVerbAfter(place) || hasVerbBefore(place)) ? 'p' : 'v';

/** Which sense of a word is meant, by its neighbours. */
const SENSES: Readonly<Record<string, (place: Place) => string>> = {
  给: coverb,
  到: (place) => (place.words.slice(0, place.at).some(({ zh }) => zh === '从') ? 'p' : coverb(place)),
  按: coverb,
  通过: coverb,
  用: (place) => (isThing(place.after) && hasVerbAfter(place) ? 'p' : 'v'),
  对: ({ before, after }) => (isFigure(before) ? 'q' : isThing(after) ? 'p' : 'a'),
  只: ({ before }) => (hasTag(before, /^[mr]$/) ? 'q' : 'd'),
  单: ({ before }) => (hasTag(before, /^[mr]$/) ? 'q' : 'd'),
  把: ({ before }) => (hasTag(before, /^m$/) ? 'q' : 'p'),
  本: ({ before }) => (hasTag(before, /^m$/) ? 'q' : 'r'),
  家: ({ before }) => (hasTag(before, /^[mr]$/) ? 'q' : 'n'),
  打: ({ before }) => (hasTag(before, /^m$/) ? 'q' : 'v'),
  卷: ({ before }) => (hasTag(before, /^m$/) ? 'q' : 'v'),
  笔: ({ before }) => (hasTag(before, /^[mr]$/) ? 'q' : 'n'),
  好: ({ after }) => (hasTag(after, /^a$/) ? 'd' : 'a'),
  少: ({ after }) => (hasTag(after, /^[vm]$/) ? 'd' : 'a'),
  多: ({ after }) => (hasTag(after, /^v$/) ? 'd' : 'a'),
  该: ({ after }) => (hasTag(after, /^[nq]$/) ? 'r' : 'v'),
  得: ({ before }) => (hasTag(before, /^[va]$/) ? 'u' : 'v'),
  等: ({ before }) => (hasTag(before, /^n$/) ? 'u' : 'v'),
  差: ({ after }) => (isThing(after) ? 'v' : 'a'),
  满: ({ after }) => (isThing(after) ? 'v' : 'a'),
  花: ({ before, after }) => (isFigure(after) || after?.zh === '了' || hasTag(before, /^[rdp]$/) ? 'v' : 'n'),
  省: ({ after }) => (isThing(after) || after?.zh === '了' ? 'v' : 'n'),
  干: ({ after }) => (hasTag(after, /^[nr]$/) ? 'v' : 'a'),
  吵: ({ after }) => (isThing(after) || after?.zh === '到' ? 'v' : 'a'),
  毛: ({ before }) => (isFigure(before) ? 'q' : 'n'),
  节: ({ before }) => (isFigure(before) ? 'q' : 'n'),
  耐心: ({ before }) => (hasTag(before, /^[ru]$/) ? 'n' : 'a'),
  还: () => 'd',
  准: ({ after }) => (isThing(after) || hasTag(after, /^v$/) ? 'v' : 'a'),
  再说: ({ before }) => (before === undefined ? 'c' : 'v'),
  就是: ({ before }) => (before === undefined ? 'c' : 'v'),
  等等: ({ before }) => (before === undefined || hasTag(before, /^[dv]$/) ? 'v' : 'u'),
  还是: ({ before, after }) =>
    hasTag(after, /^[vda]$/) && (before === undefined || hasTag(before, /^[rdc]$/)) ? 'd' : 'c',
  可能: ({ after }) => (after === undefined ? 'v' : 'd'),
  必须: () => 'v',
  一般: ({ after }) => (after === undefined || after.zh === '的' ? 'a' : 'd'),
  没问题: ({ before }) => (before === undefined || hasTag(before, /^[cl]$/) ? 'l' : 'a'),
  没有问题: ({ before }) => (before === undefined || hasTag(before, /^[cl]$/) ? 'l' : 'a'),
  以下: ({ before }) => (hasTag(before, /^[mq]$/) ? 'f' : 'a'),
  以上: ({ before }) => (hasTag(before, /^[mq]$/) ? 'f' : 'a'),
  比较: ({ after }) => (hasTag(after, /^[av]$/) ? 'd' : 'v'),
  有些: ({ after }) => (hasTag(after, /^n$/) ? 'r' : 'd'),
  麻烦: ({ before, after }) => (after === undefined || hasTag(before, /^d$/) ? 'a' : 'v'),
  主要: ({ after }) => (hasTag(after, /^n$/) || after?.zh === '的' ? 'a' : 'd'),
  免费: ({ after }) =>
    hasTag(after, /^n$/) || after?.zh === '的' || after === undefined || after.tag === 'y' ? 'a' : 'd',
  另外: ({ after }) => (hasTag(after, /^n$/) ? 'r' : 'd'),
};

/** The word in the sense that its place asks for; null where no rule speaks of it. */
export const sensed = (word: Word, place: Place, lexicon: Lexicon): Word | null => {
  const tag = SENSES[word.zh]?.(place);
  return tag === undefined ? null : lexicon.as(word, tag);
};
