import type { Agreement, Verb } from './english.js';
import { withArticle } from './english.js';

/** A noun phrase in English. `object` and `possessive` differ for pronouns. */
export type Noun = {
  readonly kind: 'noun';
  readonly text: string;
  readonly object: string;
  readonly possessive: string;
  readonly agreement: Agreement;
  /** Its article was not decided by the Chinese. */
  readonly isBare: boolean;
  readonly isCountable: boolean;
  readonly isPronoun: boolean;
  readonly isPerson: boolean;
};
export type Verbal = { readonly kind: 'verb'; readonly verb: Verb; readonly zh: string };
export type Part =
  | Noun
  | Verbal
  | { readonly kind: 'adjective'; readonly text: string; readonly zh: string }
  /** Before the verb: also, already … */
  | { readonly kind: 'adverb'; readonly text: string; readonly zh: string }
  /** After the verb and its object: a place, a time, "for me". */
  | {
      readonly kind: 'phrase';
      readonly text: string;
      readonly isTime: boolean;
      readonly isPast: boolean;
      readonly isFuture: boolean;
    }
  | { readonly kind: 'modal'; readonly text: string }
  | { readonly kind: 'question'; readonly text: string; readonly zh: string }
  | { readonly kind: 'link'; readonly text: string }
  | {
      readonly kind: 'mark';
      readonly zh: '不' | '没' | '了' | '过' | '着' | '正在' | '把' | '被' | '吗' | '的' | '得' | '别' | '请' | '比';
    }
  | { readonly kind: 'fixed'; readonly text: string };

export const join = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ');

/** Verbs whose object may be a clause. */
export const SAY =
  /^(?:know|think|feel|say|show|see|find|hope|hear|be afraid|confirm|believe|guess|worry|remember|notice|realize|promise|guarantee|check|have a look|ask)\b/;

/** Nouns whose 的 makes a possessive. */
export const PERSONS =
  /\b(?:customer|buyer|seller|boss|friend|company|store|factory|manager|courier|platform|supplier|warehouse|child|children|kid|man|woman|men|women|baby|wife|husband|mom|dad|son|daughter|no one|person|people|student|colleague|customer service|girl|boy|dog|cat|friend|neighbor|agent)$/;

export const pronoun = (forms: readonly string[]): Noun => {
  const [subject = '', object = subject, possessive = `${subject}'s`] = forms;
  const agreement: Agreement =
    subject === 'I' ? 'I' : subject === 'you' ? 'you' : /^(?:we|they)$/.test(subject) ? 'plural' : 'singular';
  return {
    kind: 'noun',
    text: subject,
    object,
    possessive,
    agreement,
    isBare: false,
    isCountable: false,
    isPronoun: true,
    isPerson: true,
  };
};

export const nominal = (text: string, given: Partial<Noun> = {}): Noun => ({
  kind: 'noun', text, object: text, possessive: `${text}'s`, agreement: 'singular', isBare: false, isCountable: true, isPronoun: false, isPerson: PERSONS.test(text), ...given,
}); // prettier-ignore

export const definite = (noun: Noun): Noun =>
  noun.isBare && !/^(?:the|my|your|our|their|his|her|its|this|that|these|those|a|an)\b/.test(noun.text)
    ? { ...noun, text: `the ${noun.text}`, object: `the ${noun.object}`, isBare: false }
    : noun;
const SUPERLATIVE = /^(?:lowest|highest|best|latest|newest|cheapest|biggest|last|first|only|same)\b/;

export const indefinite = (noun: Noun): Noun =>
  noun.isBare && noun.isCountable
    ? SUPERLATIVE.test(noun.text)
      ? definite(noun)
      : { ...noun, text: withArticle(noun.text), object: withArticle(noun.object), isBare: false }
    : noun;
