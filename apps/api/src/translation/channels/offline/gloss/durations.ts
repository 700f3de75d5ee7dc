import type { Word } from './lexicon.js';
import { isTimeUnit } from './noun-phrase.js';
import { join, type Part } from './parts.js';
import { isModalWord } from './senses.js';

/** Verbs whose object is a length of time: it is a noun then. */
const TAKES_TIME = /^(?:be|take|need|have|want|wait|last|spend|need to)$/;

const AFTER: Readonly<Record<string, string>> = {
  内: 'within ~', 以内: 'within ~', 之内: 'within ~', 后: 'after ~', 以后: 'after ~', 之后: 'after ~', 前: '~ ago', 以前: '~ ago', 之前: '~ ago',
}; // prettier-ignore

type Amount = { readonly text: string; readonly next: number };

/** 三天, 两到三个小时: a number with a unit of time. */
function amountAt(words: readonly Word[], start: number): Amount | null {
  let at = start;
  const numbers: string[] = [];
  for (; words[at]?.tag === 'm'; at++) numbers.push(words[at]?.forms[0] ?? '');
  if (/^(?:到|至|-|~)$/.test(words[at]?.zh ?? '') && words[at + 1]?.tag === 'm') {
    numbers.push('to', words[at + 1]?.forms[0] ?? '');
    at += 2;
  }
  const unit = words[at];
  if (!unit || !isTimeUnit(unit) || (numbers.length === 0 && !/half/.test(unit.forms[0] ?? ''))) return null;
  const isOne = /^(?:1|one|a|half)$/.test(numbers.join(' '));
  const text = join(...numbers, (isOne ? unit.forms[0] : unit.forms[1] || unit.forms[0]) ?? '');
  return { text: text.replace(/^half hour/, 'half an hour'), next: at + 1 };
}

/** A length of time: "for two days" after a verb, "in two days" before it; null where it is a noun. */
export function durationAt(words: readonly Word[], at: number): [Part[], number] | null {
  const amount = amountAt(words, at);
  if (!amount) return null;
  const phrase = (text: string, next: number, isPast = false): [Part[], number] => [
    [{ kind: 'phrase', text, isTime: true, isPast, isFuture: false }],
    next,
  ];
  const after = words[amount.next];
  const pattern = after?.tag === 'f' ? AFTER[after.zh] : undefined;
  if (pattern) return phrase(pattern.replace('~', amount.text), amount.next + 1, pattern.endsWith('ago'));
  if (after && /^(?:n|eng)$/.test(after.tag)) return null;
  const about = after?.zh === '左右' || after?.zh === '多' ? 1 : 0;
  const text = about === 1 ? `${after?.zh === '多' ? 'over' : 'about'} ${amount.text}` : amount.text;
  const verb = words.slice(0, at).findLast((word) => word.tag === 'v');
  if (verb && !isModalWord(verb) && TAKES_TIME.test(verb.forms[0] ?? '')) return null;
  if (verb && !isModalWord(verb)) return phrase(`for ${text}`, amount.next + about);
  if (words.slice(amount.next).some(({ tag }) => tag === 'v')) return phrase(`in ${text}`, amount.next + about);
  return null;
}
