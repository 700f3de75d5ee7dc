import { comparativeOf, participleOf, pluralOf, withArticle } from './english.js';
import type { Lexicon, Word } from './lexicon.js';
import { definite, join, nominal, type Noun, PERSONS, pronoun } from './parts.js';

const COLOURS =
  /^(?:black|white|red|blue|green|yellow|pink|purple|gray|brown|beige|orange|gold|silver|navy|cotton|wool|leather|silk|plastic|metal|wooden|steel)/;

/** What happened to a thing, said before it: "the damaged box". */
const STATES = /^(?:damage|break|lose|use|open|wash|pay|order|ship|deliver|recommend|customize|crack|print|update)\b/;

export type Found = { readonly noun: Noun; readonly next: number };

const isPersonal = ({ tag, forms }: Word): boolean => tag === 'r' && forms.length >= 4;

/** Determiner, number, classifier, adjectives and nouns from `at`; null when no noun phrase begins there. */
export function nounAt(words: readonly Word[], start: number, lexicon: Lexicon): Found | null {
  let at = start;
  const here = (): Word | undefined => words[at];
  let determiner: readonly string[] | null = null;
  let count: string | null = null;
  let isMany = false;
  const modifiers: string[] = [];
  const first = here();
  if (!first) return null;
  // 里面的东西: "the thing inside".
  if (
    first.tag === 'f' &&
    /^(?:inside|outside|on top|below)$/.test(first.forms[0] ?? '') &&
    words[at + 1]?.zh === '的'
  ) {
    const inner = nounAt(words, at + 2, lexicon);
    return (
      inner && {
        ...inner,
        noun: nominal(`${definite(inner.noun).text} ${first.forms[0] ?? ''}`, { agreement: inner.noun.agreement }),
      }
    );
  }
  if (isPersonal(first)) {
    const after = words[at + 1];
    const isPossessive =
      after?.zh === '的' ||
      first.forms[0] === first.forms[2] ||
      (after?.tag === 'n' &&
        !lexicon.find(after.zh, 'v') &&
        !/^(?:给|送|退|发|赔|补|寄|退给|发给|送给)$/.test(words[start - 1]?.zh ?? ''));
    if (!isPossessive) return { noun: pronoun(first.forms), next: at + 1 };
    determiner = [first.forms[2] ?? '', first.forms[2] ?? '', first.forms[3] ?? ''];
    at += after?.zh === '的' ? 2 : 1;
    if (!words[at] || !/^(?:[nmaqrvf]|ns|eng)$/.test(words[at]?.tag ?? '')) {
      if (after?.zh === '的') return { noun: nominal(determiner[2] ?? ''), next: at };
      return { noun: pronoun(first.forms), next: at };
    }
  } else if (first.tag === 'r') {
    determiner = first.forms;
    at += 1;
  }
  const number = here();
  if (number && (number.tag === 'm' || number.tag === 'num')) {
    count = number.forms[0] ?? number.zh;
    isMany = !/^(?:1|one|a|half.*|first|second|third|\w+th|the \d+\w\w)$/.test(count);
    at += 1;
    while (here()?.tag === 'm') count = join(count, words[at++]?.forms[0] ?? '');
    if (/^(?:到|至|-|~)$/.test(here()?.zh ?? '') && words[at + 1]?.tag === 'm') {
      count = `${count} to ${words[at + 1]?.forms[0] ?? ''}`;
      isMany = true;
      at += 2;
    }
  }
  const classifier = here();
  let unit = '';
  let alone = '';
  if (
    classifier &&
    (classifier.tag === 'q' || (classifier.zh === '个' && determiner !== null)) &&
    (count !== null || determiner !== null)
  ) {
    const [one = '', many = '', bareOne = one, bareMany = many] = classifier.forms;
    unit = isMany ? many : one;
    alone = isMany ? bareMany || many : bareOne || one;
    at += 1;
  }
  let head: Word | null = null;
  if (isTimeUnit(classifier) && at > start) {
    const isQuality = isNominal(here()) && (start === 0 || /^(?:是|有|提供|享受)$/.test(words[start - 1]?.zh ?? ''));
    if (!isQuality) {
      const text = join(determiner?.[isMany ? 1 : 0] ?? determiner?.[0] ?? '', count ?? '', alone);
      return { noun: nominal(text, { agreement: isMany ? 'plural' : 'singular', isCountable: false }), next: at };
    }
    // 两年保修: "two-year warranty".
    modifiers.push(`${count ?? ''}-${classifier?.forms[0] ?? ''}`);
    [count, unit, alone, isMany] = [null, '', '', false];
  }
  for (;;) {
    const word = here();
    if (!word) break;
    const after = words[at + 1];
    if (word.tag === 'f' && /^(?:left|right|front|back|top|bottom|local)$/.test(word.forms[0] ?? '')) {
      const skip = after?.zh === '的' ? 2 : 1;
      if (isNominal(words[at + skip])) {
        modifiers.push(word.forms[0] ?? '');
        at += skip;
        continue;
      }
    }
    const degree = degreeOf(word, after, words[at + 2]);
    if (degree !== null) {
      modifiers.push(degree);
      at += 3;
      if (isNominal(here())) continue;
      head = ONE;
      break;
    }
    if (isNamelessAt(words, at, determiner !== null || count !== null)) {
      modifiers.push(word.forms[0] ?? '');
      at += 2;
      head = ONE;
      break;
    }
    if (word.tag === 'a' && (after?.zh === '的' ? isNominal(words[at + 2]) : isNominal(after))) {
      modifiers.push(word.forms[0] ?? '');
      at += after?.zh === '的' ? 2 : 1;
    } else if (
      (word.tag === 'n' || word.tag === 'ns' || word.tag === 'eng' || word.tag === 'x') &&
      (word.forms[0] ?? '') !== ''
    ) {
      const [singular = ''] = word.forms;
      const state = after?.zh === '的' && isNominal(words[at + 2]) ? lexicon.find(word.zh, 'v') : null;
      if (state && STATES.test(state.forms[0] ?? '')) {
        modifiers.push(participleOf({ base: state.forms[0] ?? '', past: state.forms[1], participle: state.forms[2] }));
        at += 2;
        continue;
      }
      if (after?.zh === '的' && isNominal(words[at + 2])) {
        const inner = nounAt(words, at + 2, lexicon);
        if (!inner) break;
        const own = [...modifiers, word.forms[word.tag === 'ns' ? 1 : 0] ?? singular].join(' ');
        if (COLOURS.test(singular) || word.tag === 'ns') {
          modifiers.push(word.forms[word.tag === 'ns' ? 1 : 0] || singular);
          at += 2;
          continue;
        }
        const owner = finish({ determiner, count, unit, alone, isMany, text: own, head: word });
        const text = PERSONS.test(singular)
          ? `${/^(?:the|my|your|our|their|his|her|this|that)\b/.test(owner.text) ? owner.text : `the ${owner.text}`}'s ${inner.noun.text}`
          : lexicon.find(word.zh, 'v') !== null && owner.isBare
            ? `the ${own} ${inner.noun.text}`
            : `the ${inner.noun.text} of ${owner.isBare && owner.isCountable && owner.agreement === 'singular' ? `the ${owner.text}` : owner.text}`;
        return { noun: nominal(text, { agreement: inner.noun.agreement }), next: inner.next };
      }
      head = word;
      at += 1;
      if (
        after &&
        (after.tag === 'n' || (after.tag === 'eng' && !/\d/.test(after.zh))) &&
        (after.forms[0] ?? '') !== ''
      )
        modifiers.push(word.tag === 'ns' ? word.forms[1] || singular : singular);
      else if (after?.tag === 'num' && word.tag === 'eng') modifiers.push(singular);
      else break;
    } else if (word.tag === 'num' && words[at - 1]?.tag === 'eng') {
      head = word;
      at += 1;
      if (words[at]?.tag === 'eng' || words[at]?.tag === 'n') modifiers.push(word.forms[0] ?? '');
      else break;
    } else break;
  }
  if (head === null) {
    if (determiner === null && count === null) return null;
    const place = first.tag === 'r' && /^(?:here|there)$/.test(first.forms[0] ?? '');
    if (place) return null;
    if (count === null && unit === '' && modifiers.length === 0 && first.tag === 'r' && at === start + 1)
      return { noun: demonstrative(first.forms[2] ?? first.forms[0] ?? ''), next: at };
    const text =
      alone === ''
        ? (determiner?.[2] ?? join(determiner?.[0] ?? '', count ?? ''))
        : join(determiner?.[isMany ? 1 : 0] ?? determiner?.[0] ?? '', count ?? '', alone);
    return { noun: nominal(text, { agreement: isMany ? 'plural' : 'singular' }), next: at };
  }
  const [singular = ''] = head.forms;
  return {
    noun: finish({ determiner, count, unit, alone, isMany, text: [...modifiers, singular].join(' '), head }),
    next: at,
  };
}

const demonstrative = (text: string): Noun =>
  nominal(text, { agreement: /^(?:these|those)\b/.test(text) ? 'plural' : 'singular' });

const ONE: Word = { zh: '的', tag: 'n', forms: ['one'] };

export const isTimeUnit = (word: Word | undefined): boolean =>
  word?.tag === 'q' &&
  /^(?:second|minute|hour|half an hour|day|business day|week|month|year)$/.test(word.forms[0] ?? '');

/** 短一点的, 很好的: "shorter", "very good" before a noun. */
const degreeOf = (word: Word, after: Word | undefined, next: Word | undefined): string | null => {
  if (word.tag !== 'd' || after?.tag !== 'a' || next?.zh !== '的') return null;
  const [degree = '', adjective = ''] = [word.forms[0], after.forms[0]];
  if (/more$/.test(degree)) return comparativeOf(adjective);
  return /^(?:很|非常|最|比较|特别|超级|挺|太)$/.test(word.zh) ? join(degree, adjective) : null;
};

/** 一个新的, 要黑色的: "a new one", "the black one"; but 是新的 is "it's new". */
const isNamelessAt = (words: readonly Word[], at: number, isDetermined: boolean): boolean => {
  const [before, word, after, next] = [words[at - 1], words[at], words[at + 1], words[at + 2]];
  if (!word || after?.zh !== '的' || isNominal(next) || next?.tag === 'a') return false;
  const isQuality = word.tag === 'a' || (word.tag === 'n' && COLOURS.test(word.forms[0] ?? ''));
  return (
    isQuality &&
    (isDetermined || (before?.tag === 'v' && before.zh !== '是') || /^(?:过|了|把|比)$/.test(before?.zh ?? ''))
  );
};

export const isNominal = (word: Word | undefined): boolean => word !== undefined && /^(?:n|ns|eng|x)$/.test(word.tag);

type Phrase = {
  readonly determiner: readonly string[] | null;
  readonly count: string | null;
  readonly unit: string;
  readonly alone: string;
  readonly isMany: boolean;
  readonly text: string;
  readonly head: Word;
};

function finish({ determiner, count, unit, isMany, text, head }: Phrase): Noun {
  const [singular = '', plural = ''] = head.forms;
  const isUncountable = plural === '-' || head.tag === 'ns' || head.tag === 'eng';
  const piece = head.forms[2];
  if (plural === '=' && piece !== undefined && count !== null && unit === '')
    return countedPlural(join(text.slice(0, text.length - singular.length), piece), { determiner, count, isMany });
  const isPlural = plural === '=' || (isMany && !isUncountable);
  const many =
    plural !== '' && plural !== '=' && plural !== '-'
      ? text.slice(0, text.length - singular.length) + plural
      : pluralOf(text);
  const noun = isPlural && plural !== '=' ? many : text;
  const isOne = count === 'one' && (unit !== '' || (!isUncountable && !isPlural)) && determiner === null;
  const counted = unit === '' ? noun : `${unit} of ${isUncountable || plural === '=' ? noun : many}`;
  const own = determiner?.[isPlural && determiner.length > 1 ? 1 : 0] ?? '';
  return nominal(isOne ? withArticle(counted) : join(own, count ?? '', counted), {
    agreement: isPlural ? 'plural' : 'singular',
    isBare: determiner === null && count === null && head.tag !== 'ns' && head.tag !== 'eng',
    isCountable: !isUncountable && !isPlural,
  });
}

/** 一件衣服, 两条裤子: "a piece of clothing", "two pairs of pants". */
function countedPlural(
  piece: string,
  { determiner, count, isMany }: Pick<Phrase, 'determiner' | 'count' | 'isMany'>,
): Noun {
  const text = isMany ? piece.replace(/^(\S+)/, (first) => pluralOf(first)) : piece;
  const isOne = determiner === null && /^(?:1|one)$/.test(count ?? '');
  return nominal(isOne ? withArticle(text) : join(determiner?.[isMany ? 1 : 0] ?? '', count ?? '', text), {
    agreement: isMany ? 'plural' : 'singular',
    isCountable: false,
  });
}
