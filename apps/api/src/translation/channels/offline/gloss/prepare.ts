import type { Lexicon, Word } from './lexicon.js';
import { participleOf } from './english.js';
import { isTimeUnit } from './noun-phrase.js';
import { alike, figuresAt } from './numbers.js';
import { SAY } from './parts.js';
import { isModalWord } from './senses.js';

/** Words in place of `length` words. */
type Rewritten = { readonly words: readonly Word[]; readonly length: number };
type Place = {
  readonly words: readonly Word[];
  readonly at: number;
  readonly word: Word;
  readonly before: Word | undefined;
  readonly after: Word | undefined;
  readonly lexicon: Lexicon;
  readonly isQuestion: boolean;
};
type Rule = (place: Place) => Rewritten | null;

const make = (zh: string, tag: string, ...forms: string[]): Word => ({ zh, tag, forms });
const NOT = make('不', 'd', 'not');
const CAN = make('能', 'v', 'can');
const ASKS = make('吗', 'y', '');
const BE = make('是', 'v', 'be');

const is = (word: Word | undefined, zh: RegExp): boolean => word !== undefined && zh.test(word.zh);
const isTag = (word: Word | undefined, tag: RegExp): boolean => word !== undefined && tag.test(word.tag);
const isPredicateAfter = ({ words, at }: Place): boolean =>
  words.slice(at + 1).some(({ tag, zh }) => (tag === 'v' && zh !== '是') || tag === 'a');

/** What a verb comes to, in one word after it: 看不清, 装不上, 拿得动. */
const RESULTS: Readonly<Record<string, string>> = {
  到: '', 见: '', 了: '', 动: '', 住: '', 完: '', 成: '', 着: '', 起: '', 掉: '', 懂: '', 好: '',
  上: 'on', 下: 'down', 开: '', 出: '', 出来: 'out', 进去: 'in', 进: 'in', 上去: 'on', 下来: 'off', 清: 'clearly', 清楚: 'clearly', 干净: 'clean', 紧: 'tight', 满: 'fully',
}; // prettier-ignore

const RULES: readonly Rule[] = [
  ({ word, words }) => (word.zh === '请问' && words.length > 1 ? { words: [], length: 1 } : null),
  forWhom,
  thanks,
  ({ word, after }) =>
    is(word, /^(?:麻烦|麻烦您|麻烦你|拜托|劳驾)$/) && isTag(after, /^(?:[vpd]|r)$/)
      ? { words: [make('请', 'v', 'please')], length: 1 }
      : null,
  ({ words, at }) => figuresAt(words, at),
  noNeed,
  // 自己装: who does it says who "self" is.
  ({ word, after }) =>
    word.zh === '自己' && isTag(after, /^[vd]$/) ? { words: [make('自己', 'd', 'oneself')], length: 1 } : null,
  // 我会告诉您的: the last 的 is no "your".
  ({ word, before, after, lexicon }) => {
    const person = /^([我你您])的$/.exec(word.zh)?.[1];
    const owner = person === undefined ? null : lexicon.find(person, 'r');
    return owner && after === undefined && isTag(before, /^[vp]$/) ? { words: [owner], length: 1 } : null;
  },
  ({ word, after }) =>
    is(word, /^没有?$/) && after?.zh === '人'
      ? { words: [make('没人', 'r', 'no one', 'no one', "no one's", 'nobody')], length: 2 }
      : null,
  // 拧不动, 拿得动: can or cannot.
  ({ word, after, words, at }) => {
    const result = RESULTS[words[at + 2]?.zh ?? ''];
    if (word.tag !== 'v' || isModalWord(word) || !is(after, /^[不得]$/) || result === undefined) return null;
    const said = [...(after?.zh === '不' ? [NOT] : []), CAN, word, ...(result === '' ? [] : [make(result, 'f', result)])];
    return { words: said, length: 3 };
  },
  // 是不是涨价了, 有没有收到: "is it true that".
  (place) =>
    is(place.word, /^(?:是不是|是否|有没有)$/) && isPredicateAfter(place) && !is(place.words.at(-1), /^的$/) && !isTag(place.after, /^(?:[nmrq]|eng|ns)$/)
      ? { words: [ASKS], length: 1 }
      : null,
  // 看看能不能…: "see if".
  ({ word, words, at, lexicon }) => {
    const asked = /^(能|会|可以|是|有)不(?:能|会|可以|是)|^(有)没有$/.exec(word.zh === '可不可以' ? '可以不可以' : word.zh);
    if (!asked || !words.slice(0, at).some(({ tag, forms: [form = ''] }) => tag === 'v' && SAY.test(form))) return null;
    const verb = /^[是有]/.test(word.zh) ? null : lexicon.find(asked[1] ?? '', 'v');
    return { words: [make('是否', 'c', 'if'), ...(verb ? [verb] : [])], length: 1 };
  },
  // 是密封的: "it's sealed"; 是用电池的: "it uses a battery".
  ({ word, after, words, at }) => {
    const last = words.findLastIndex(({ tag }) => tag !== 'y');
    if (word.zh !== '是' || !isTag(after, /^v$/) || words[last]?.zh !== '的' || !after || isModalWord(after)) return null;
    const [base = '', past, participle] = after.forms;
    if (last === at + 2) return { words: [BE, make(after.zh, 'a', participleOf({ base, past, participle }))], length: 3 };
    return words[last - 1]?.tag === 'n' && last === at + 3 ? { words: words.slice(at + 1, last), length: last + 1 - at } : null;
  },
  // 会说英语: what one has learned.
  ({ word, after }) =>
    word.zh === '会' && /^(?:speak|swim|drive|cook|operate|do it)\b/.test(after?.forms[0] ?? '') ? { words: [CAN], length: 1 } : null,
  ({ word, before }) =>
    word.zh === '想' && before?.zh === '不' ? { words: [make('想', 'v', 'want to')], length: 1 } : null,
  // 您是想要…: 是 says nothing before another verb.
  (place) =>
    place.word.zh === '是' && (isTag(place.after, /^v$/) || is(place.after, /^(?:在|给|从|跟|为了|第一次)$/)) && isPredicateAfter(place)
      ? { words: [], length: 1 }
      : null,
  // 谁来付: 来 only leads on to the verb.
  ({ word, before, after }) =>
    word.zh === '来' && isTag(after, /^v$/) && isTag(before, /^[rn]$/) ? { words: [], length: 1 } : null,
  ({ word, words, at }) =>
    word.zh === '拍' && words.slice(at + 1).some(({ zh }) => /照|视频|图|^张$/.test(zh))
      ? { words: [make('拍', 'v', 'take', 'took', 'taken')], length: 1 }
      : null,
  ({ word, before, after, lexicon }) =>
    word.zh === '还是' && isTag(after, /^(?:m|eng|num)$/) && !isTag(before, /^(?:n|a|eng|m)$/)
      ? { words: [lexicon.find('还', 'd') ?? word, BE], length: 1 }
      : null,
  // 容易坏: how easily something happens.
  ({ word, after }) =>
    word.zh === '容易' && isTag(after, /^v$/) ? { words: [make('容易', 'd', 'easily')], length: 1 } : null,
  ({ word, after }) =>
    is(word, /^(?:很|挺|非常|特别|太|好|真|十分)$/) && isTag(after, /^v$/) && /^(?:like|love|want|hope|thank)/.test(after?.forms[0] ?? '')
      ? { words: [make(word.zh, 'd', 'really')], length: 1 }
      : null,
  // 便宜一点: a bit cheaper.
  ({ word, after }) =>
    word.tag === 'a' && is(after, /^(?:一点|一点儿|点|一些)$/)
      ? { words: [make('更', 'd', 'a bit more'), word], length: 2 }
      : null,
  needed,
  // 再等两天: "two more days".
  ({ word, after, words, at }) => {
    const number = words[at + 2];
    if (word.zh !== '再' || !after || !isTag(after, /^[vu]$/) || number?.tag !== 'm' || words[at + 3]?.zh === '次') return null;
    return { words: [after, { ...number, forms: [`${number.forms[0] ?? ''} more`] }], length: 3 };
  },
  ({ word, before, after }) =>
    is(word, /^(?:想|想要)$/) && is(before, /^(?:您|你|你们)$/) && isTag(after, /^[vp]$/)
      ? { words: [make('想', 'v', 'would like to')], length: 1 }
      : null,
  ({ word, after }) => {
    if (word.tag !== 'm' || after?.zh !== '次' || is(word, /^第/)) return null;
    const times: Readonly<Record<string, string>> = { one: 'once', '1': 'once', two: 'twice', '2': 'twice' };
    const count = word.forms[0] ?? '';
    return { words: [make(`${word.zh}次`, 'd', times[count] ?? `${count.replace('how many', 'a few')} times`)], length: 2 };
  },
  ({ word, words, isQuestion }) =>
    /^how many/.test(word.forms[0] ?? '') && is(word, /^几/) && (!isQuestion || words.some((each) => is(each, ASKED)))
      ? { words: [{ ...word, zh: '数', forms: [(word.forms[0] ?? '').replace('how many', 'a few')] }], length: 1 }
      : null,
]; // prettier-ignore

/** What makes a question of its own: 几 is then "a few". */
const ASKED = /^(?:吗|能|可以|能不能|可不可以|会|会不会|有没有|是不是|怎么|为什么)$/;

/** 要 and 需要 before a verb or an adjective. */
function needed({ words, at, word, before, after, isQuestion }: Place): Rewritten | null {
  if (!is(word, /^(?:要|需要)$/)) return null;
  const unit = words.slice(at + 1).find(({ tag }) => tag !== 'm' && tag !== 'd');
  if (isTag(after, /^[md]$/) && isTimeUnit(unit))
    return { words: [make('要', 'v', 'take', 'took', 'taken')], length: 1 };
  if (isTag(after, /^a$/) && words[at + 2]?.zh !== '的') return { words: [make('要', 'v', 'must')], length: 1 };
  if (!isTag(after, /^[vp]$/)) return null;
  const isWish = word.zh === '要' && is(before, /^(?:我|我们)$/) && !isQuestion;
  return { words: [make('要', 'v', isWish ? 'want to' : 'need to')], length: 1 };
}

/** 感谢您的支持, 谢谢理解: thanks for something. */
function thanks({ words, at, word, before, lexicon }: Place): Rewritten | null {
  const [, verb, person] = /^(谢谢|感谢|多谢)([您你])?$/.exec(word.zh) ?? [];
  if (verb === undefined || isTag(before, /^r$/)) return null;
  const next = person === undefined ? words[at + 1] : undefined;
  const isPerson = person !== undefined || is(next, /^(?:您|你)$/);
  const length = next && isPerson ? 2 : 1;
  const after = words[at + length];
  const thank = make(verb, 'v', 'thank you for');
  if (after === undefined) return { words: [make(verb, 'l', 'thank you')], length };
  const owner = isPerson && !isTag(after, /^[vd]$/) ? lexicon.find('您的', 'r') : null;
  return { words: owner ? [thank, owner] : [thank], length: after.zh === '的' ? length + 1 : length };
}

/** 帮我, 给您 before a verb. */
function forWhom({ words, at, word, lexicon }: Place): Rewritten | null {
  const [, zh = '', person = ''] = /^(帮|给|替|为)(我|您|你|我们|你们)$/.exec(word.zh) ?? [];
  if (zh === '' || !words.slice(at + 1).some(({ tag }) => tag === 'v')) return null;
  const next = words[at + 1];
  if (next?.tag === 'm' || (next?.tag === 'n' && !lexicon.find(next.zh, 'v'))) return null;
  const whom = person === '我们' ? 'us' : person === '我' ? 'me' : 'you';
  return { words: [make(zh, 'd', `${zh === '给' ? 'to' : 'for'} ${whom}`)], length: 1 };
}

/** Set phrases that words alone do not show, as the words that English would begin from. */
export function prepared(given: readonly Word[], isQuestion: boolean, lexicon: Lexicon): Word[] {
  const words = enough(alike(pastEvent(promise(given))));
  const out: Word[] = [];
  for (let at = 0; at < words.length;) {
    const word = words[at];
    if (!word) break;
    const [before, after] = [words[at - 1], words[at + 1]];
    const place: Place = { words, at, word, before, after, lexicon, isQuestion };
    if (word.zh === '一' && after?.tag === 'v') {
      out.unshift(make('一', 'c', 'as soon as'));
      at += 1;
      continue;
    }
    const found = RULES.reduce<Rewritten | null>((said, rule) => said ?? rule(place), null);
    out.push(...(found?.words ?? [word]));
    at += found?.length ?? 1;
  }
  return out;
}

/** 运费不用您出, 不需要安装: who need not. */
function noNeed({ word, after }: Place): Rewritten | null {
  if (!is(word, /^(?:不用|无需|不必)$/) || after === undefined) return null;
  const isPerson = after.tag === 'r' && after.forms.length >= 4;
  const need = [NOT, make('要', 'v', 'need to')];
  return isPerson ? { words: [after, ...need], length: 2 } : isTag(after, /^[vp]$/) ? { words: need, length: 1 } : null;
}

/** 走海运就行: "just" go by sea. */
function enough(words: readonly Word[]): readonly Word[] {
  const last = words.at(-1)?.zh === '了' ? words.length - 2 : words.length - 1;
  const isOne = /^就(?:行|好|可以|可以了|行了|好了)$/.test(words[last]?.zh ?? '');
  const isTwo = words[last - 1]?.zh === '就' && /^(?:行|好|可以)$/.test(words[last]?.zh ?? '');
  const kept = words.slice(0, isOne ? last : last - 1);
  const verb = kept.findIndex(({ tag }) => tag === 'v');
  if ((!isOne && !isTwo) || verb < 0 || kept.some(({ tag }) => tag === 'c')) return words;
  return [...kept.slice(0, verb), make('只需', 'd', 'just'), ...kept.slice(verb)];
}

/** 会回购的: the last 的 adds nothing. */
const promise = (words: readonly Word[]): readonly Word[] =>
  is(words.at(-1), /^的$/) &&
  isTag(words.at(-2), /^v$/) &&
  words.some(({ zh }) => zh === '会') &&
  !words.some(({ zh }) => zh === '是')
    ? words.slice(0, -1)
    : words;

/** 您是什么时候买的: what happened, when or where it did. */
function pastEvent(words: readonly Word[]): readonly Word[] {
  const from = words.findIndex(({ zh }) => zh === '是');
  const isPast =
    from >= 0 &&
    is(words.at(-1), /^的$/) &&
    isTag(words.at(-2), /^v$/) &&
    words
      .slice(from + 1, -2)
      .some((word) => word.tag === 't' || is(word, /^(?:什么时候|怎么|在|从|在哪里|哪里|哪儿|刚|刚刚)$/));
  if (!isPast) return words;
  return [...words.slice(0, from), ...words.slice(from + 1, -1), make('了', 'u', '')];
}
