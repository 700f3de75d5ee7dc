import type { Word } from './lexicon.js';
import { SAY } from './parts.js';
import { isModalWord } from './senses.js';

/** Words before a comma that are two clauses of English. `opening`: a conjunction that only English says. */
export type Split = {
  readonly first: readonly Word[];
  readonly second: readonly Word[];
  readonly opening: string;
  readonly joint: string;
};

const CONJUNCTION =
  /^(?:if|as long as|as soon as|when|in case|because|although|even if|unless|since|only if|no matter)$/;

/** Verbs whose clause goes on: what they let, say or want. */
const OPEN = /^(?:let|make|help|want|plan|be|have|need|agree|prepare|hope|tell|ask|suggest)\b/;

const isVerb = (word: Word): boolean => word.tag === 'v' && !isModalWord(word);
const isPredicate = (word: Word): boolean => isVerb(word) || word.tag === 'a';

export const splitClause = (words: readonly Word[]): Split | null => subordinate(words) ?? consecutive(words);

const OPENINGS: Readonly<Record<string, string>> = {
  的时候: 'when', 时: 'when', 的话: 'if', 后: 'after', 以后: 'after', 之后: 'after', 前: 'before', 以前: 'before', 之前: 'before',
}; // prettier-ignore

/** The words that make what stands before them a condition or a time: 的时候, 的话, 后 and 前 after a verb. */
function subordinate(words: readonly Word[]): Split | null {
  const at = words.findIndex((word, index) => {
    if (OPENINGS[word.zh] === undefined || !words.slice(0, index).some(isPredicate)) return false;
    if (/^(?:的时候|的话|时)$/.test(word.zh)) return true;
    const before = words[index - 1];
    const isObject = before?.tag === 'n' && words.slice(0, index - 1).some(isVerb);
    return before?.tag === 'v' || before?.zh === '了' || isObject;
  });
  if (at < 0 || words[at + 1] === undefined) return null;
  const asked = words[0] && /^(?:为什么|为啥|怎么)$/.test(words[0].zh) ? words.slice(0, 1) : [];
  const [first, second] = [words.slice(asked.length, at), [...asked, ...words.slice(at + 1)]];
  const isSaid = first.some(({ tag, forms }) => tag === 'c' && CONJUNCTION.test(forms[0] ?? ''));
  return { first, second, opening: isSaid ? '' : (OPENINGS[words[at]?.zh ?? ''] ?? ''), joint: ', ' };
}

const DONE: Word = { zh: '了', tag: 'u', forms: [''] };

/** 下单就发货, 洗了会掉色, 充了一晚上也充不满: what follows from the first verb, or comes after it. */
function consecutive(words: readonly Word[]): Split | null {
  for (let at = 1; at < words.length - 1; at++) {
    const first = words.slice(0, at);
    const joint = jointAt(words, at);
    const isConditional = first.some(({ tag, forms }) => tag === 'c' && CONJUNCTION.test(forms[0] ?? ''));
    const isWhole = isConditional ? first.some(isPredicate) : isClosed(first);
    if (joint === null || !isWhole || !words.slice(at).some(isPredicate)) continue;
    const from = timeBefore(words, at);
    const cut = words.slice(0, from);
    const second = words.slice(from);
    if (isConditional) return { first: cut, second, opening: '', joint: ', ' };
    const isDone =
      cut.some(({ zh }) => /^[了刚]/.test(zh)) || (second.at(-1)?.zh === '了' && !second.some(isModalWord));
    if (joint === 'when' || (joint === 'if' && !(isDone && words[at]?.zh === '就')))
      return { first: cut.filter(({ zh }) => zh !== '了'), second, opening: joint, joint: ', ' };
    return { first: isDone ? [...cut, DONE] : cut, second, opening: '', joint: ' and ' };
  }
  return null;
}

/** A time or a person before the second verb belongs to it: 今天下单 | 今天就能发. */
const timeBefore = (words: readonly Word[], at: number): number => {
  const [before, ahead] = [words[at - 1], words[at - 2]];
  const isPerson = before?.tag === 'r' && before.forms.length >= 4 && ahead !== undefined && !/^[vp]$/.test(ahead.tag);
  return (before?.tag === 't' || isPerson) && words.slice(0, at - 1).some(isVerb) ? at - 1 : at;
};

const jointAt = (words: readonly Word[], at: number): 'if' | 'when' | 'and' | null => {
  const word = words[at];
  if (!word) return null;
  if (word.zh === '就') return 'if';
  if (word.zh === '请') return 'when';
  if (word.zh === '有') return 'if';
  if (/^(?:也|都|还|又|才|却)$/.test(word.zh)) return 'and';
  const after = words[at + 1];
  const isModal = isModalWord(word) && /^(?:can|cannot|will|may|need to|have to)$/.test(word.forms[0] ?? '');
  return isModal && (after?.tag === 'v' || after?.tag === 'a' || after?.tag === 'd') ? 'if' : null;
};

/** Has a verb that neither belongs to a noun after it nor asks for another verb. */
function isClosed(words: readonly Word[]): boolean {
  const last = words.findLastIndex(isPredicate);
  if (
    last < 0 ||
    words.some(
      ({ tag, forms: [form = ''] }, at) =>
        tag === 'v' && words[at + 1]?.zh !== '了' && (SAY.test(form) || OPEN.test(form)),
    )
  )
    return false;
  return !words.slice(last).some(({ zh }) => zh === '的') && !words.some(({ zh }) => /^(?:把|被|比|请|吗)$/.test(zh));
}
