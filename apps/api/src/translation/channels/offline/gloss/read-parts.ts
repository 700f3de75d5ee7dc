import { durationAt } from './durations.js';
import { pluralOf, type Verb } from './english.js';
import type { Lexicon, Word } from './lexicon.js';
import { type Found, nounAt } from './noun-phrase.js';
import { isModalWord } from './senses.js';
import { definite, join, nominal, type Noun, type Part, SAY } from './parts.js';

const PAST_TIMES = /昨|前天|上周|上个|上次|刚才|去年|上午|之前|以前|当时/;
const FUTURE_TIMES = /明|后天|下周|下个|下次|下月|今晚|到时候|马上|尽快|稍后|以后|待会|回头/;

const MARKS = new Set([
  '不',
  '没',
  '没有',
  '了',
  '过',
  '着',
  '正在',
  '把',
  '被',
  '吗',
  '的',
  '得',
  '别',
  '不要',
  '请',
  '未',
  '比',
  '将',
]);
const QUESTIONS =
  /^(?:什么|什么时候|怎么|怎么样|如何|为什么|哪里|哪儿|哪个|哪些|哪款|哪种|谁|多少|多少钱|几|多久|多长时间|什么样|咋|何时|怎样|为啥|几时|啥)$/;

const isAsking = ({ zh, tag, forms: [form = ''] }: Word): boolean =>
  QUESTIONS.test(zh) ||
  (/^[rl]$/.test(tag) && /^(?:where|what \w+|which \w+|how (?:much|long|big|heavy|tall|wide|far|fast))$/.test(form));

/** A predicate, unless another verb is: "I'm not at home", "I receive it at home". */
const atHome = (words: readonly Word[], text: string): Part =>
  words.some((word) => word.tag === 'v' && !isModalWord(word) && !SAY.test(word.forms[0] ?? ''))
    ? { kind: 'phrase', text, isTime: false, isPast: false, isFuture: false }
    : { kind: 'adjective', text, zh: '在家' };

export function partsOf(words: readonly Word[], lexicon: Lexicon): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < words.length;) {
    const [part, next] = partAt(words, at, parts, lexicon);
    parts.push(...part);
    at = Math.max(next, at + 1);
  }
  return parts;
}

function partAt(words: readonly Word[], at: number, before: readonly Part[], lexicon: Lexicon): [Part[], number] {
  const word = words[at];
  if (!word) return [[], at + 1];
  const [form = ''] = word.forms;
  const { zh, tag } = word;
  if (zh === '没有' && tag === 'v')
    return [
      [
        { kind: 'mark', zh: '没' },
        { kind: 'verb', zh: '有', verb: { base: 'have', past: 'had', participle: 'had' } },
      ],
      at + 1,
    ];
  if (zh === '吗' || zh === '么') return [[{ kind: 'mark', zh: '吗' }], at + 1];
  if (isAsking(word)) return question(words, at, lexicon);
  if (tag === 'l') return [[{ kind: 'fixed', text: form }], at + 1];
  // "Today is Monday": a time that is the subject.
  if (tag === 't' && words[at + 1]?.zh === '是') return [[nominal(bareTime(word))], at + 1];
  if (zh === '在家') return [[atHome(words, form)], at + 1];
  const duration = durationAt(words, at);
  if (duration) return duration;
  const noun = nounAt(words, at, lexicon);
  if (noun) return finishNoun(words, noun, before, lexicon);
  const isNamed = tag === 't' && words[at - 1]?.zh === '是';
  if (tag === 't') return [[isNamed ? nominal(bareTime(word)) : timeOf(zh, form)], at + 1];
  if (MARKS.has(zh))
    return [
      [
        {
          kind: 'mark',
          zh: zh === '没有' || zh === '未' ? '没' : zh === '不要' ? '别' : zh === '将' ? '把' : (zh as '不'),
        },
      ],
      at + 1,
    ];
  if (tag === 'p') return preposition(words, at, lexicon);
  if (tag === 'v')
    return isModalWord(word)
      ? [[{ kind: 'modal', text: form }], at + 1]
      : [[{ kind: 'verb', zh, verb: verbOf(word) }], at + 1];
  if (tag === 'a') return [[{ kind: 'adjective', text: form, zh }], at + 1];
  if (tag === 'd') return form === '' ? [[], at + 1] : [[{ kind: 'adverb', text: form, zh }], at + 1];
  if (tag === 'c') return form === '' ? [[], at + 1] : [[{ kind: 'link', text: form }], at + 1];
  if (tag === 'y' || tag === 'q' || (tag === 'u' && zh !== '的话' && zh !== '的时候')) return [[], at + 1];
  if (tag === 'f') return [[{ kind: 'phrase', text: form, isTime: false, isPast: false, isFuture: false }], at + 1];
  return [form === '' ? [] : [{ kind: 'fixed', text: form }], at + 1];
}

/** Without its preposition. */
const bareTime = ({ forms: [adverbial = '', bare = adverbial] }: Word): string => bare;

const timeOf = (zh: string, text: string): Part => ({
  kind: 'phrase',
  text,
  isTime: true,
  isPast: PAST_TIMES.test(zh),
  isFuture: FUTURE_TIMES.test(zh),
});

const verbOf = ({ forms: [base = '', past, participle] }: Word): Verb => ({
  base,
  past: past || undefined,
  participle: participle || undefined,
});

/** What follows a noun phrase: a place word (桌子上), 的时候, or a clause before it that ends with 的. */
function finishNoun(
  words: readonly Word[],
  { noun, next }: Found,
  before: readonly Part[],
  lexicon: Lexicon,
): [Part[], number] {
  const after = words[next];
  if (after && /^(?:和|及|以及|或|或者|还是|、)$/.test(after.zh)) {
    const other = nounAt(words, next + 1, lexicon);
    if (other && !isPersonalNoun(noun)) {
      const link = /^[或还]/.test(after.zh) ? 'or' : 'and';
      const both = nominal(`${noun.text} ${link} ${other.noun.text}`, {
        agreement: link === 'and' ? 'plural' : noun.agreement,
        isBare: noun.isBare && noun.agreement === 'plural',
        isCountable: false,
      });
      return finishNoun(
        words,
        { noun: noun.isBare ? { ...both, isBare: true } : both, next: other.next },
        before,
        lexicon,
      );
    }
  }
  if (after?.tag === 'f' && !isPersonalNoun(noun)) {
    const place = PLACES[after.zh];
    if (place)
      return [
        [{ kind: 'phrase', text: join(place, definite(noun).object), isTime: false, isPast: false, isFuture: false }],
        next + 1,
      ];
    const time = TIMES[after.zh];
    if (time)
      return [
        [
          {
            kind: 'phrase',
            text: time.includes('~') ? time.replace('~', definite(noun).object) : join(time, definite(noun).object),
            isTime: true,
            isPast: false,
            isFuture: false,
          },
        ],
        next + 1,
      ];
  }
  if (after?.zh === '的' && !words[next + 1]) return [[noun], next + 1];
  return [[noun], next];
}

const isPersonalNoun = ({ isPronoun }: Noun): boolean => isPronoun;

const PLACES: Readonly<Record<string, string>> = {
  上: 'on',
  上面: 'on',
  里: 'in',
  里面: 'in',
  中: 'in',
  内: 'within',
  下: 'under',
  下面: 'under',
  旁边: 'next to',
  后面: 'behind',
  前面: 'in front of',
  外面: 'outside',
  外: 'outside',
};
export const TIMES: Readonly<Record<string, string>> = {
  后: 'after',
  以后: 'after',
  之后: 'after',
  前: 'before',
  以前: 'before',
  之前: 'before',
  左右: 'around ~',
  以内: 'within',
  之内: 'within',
  期间: 'during',
};

function question(words: readonly Word[], at: number, lexicon: Lexicon): [Part[], number] {
  const zh = words[at]?.zh ?? '';
  const after = words[at + 1];
  const english: Readonly<Record<string, string>> = {
    什么时候: 'when',
    何时: 'when',
    几时: 'when',
    怎么: 'how',
    如何: 'how',
    怎样: 'how',
    咋: 'how',
    怎么样: 'how',
    为什么: 'why',
    为啥: 'why',
    哪里: 'where',
    哪儿: 'where',
    谁: 'who',
    多久: 'how long',
    多长时间: 'how long',
    多少钱: 'how much',
  };
  const [form = ''] = words[at]?.forms ?? [];
  const simple = english[zh] ?? (QUESTIONS.test(zh) ? undefined : form);
  if (simple) return [[{ kind: 'question', text: simple, zh }], at + 1];
  const skip = after?.tag === 'q' ? 2 : 1;
  const unit = after?.tag === 'q' ? (after.forms[1] ?? '') : '';
  const noun = nounAt(words, at + skip, lexicon);
  const which = /^哪/.test(zh)
    ? 'which'
    : /^(?:什么|什么样|啥)$/.test(zh)
      ? 'what'
      : zh === '多少' && noun && !noun.noun.isCountable
        ? 'how much'
        : 'how many';
  if (!noun || noun.noun.isPronoun) {
    if (which === 'how many')
      return [[{ kind: 'question', text: unit === '' ? 'how much' : `how many ${unit}`, zh }], at + skip];
    return [[{ kind: 'question', text: which === 'which' ? 'which one' : 'what', zh }], at + skip];
  }
  const text =
    which === 'how many' || /些$/.test(zh)
      ? noun.noun.agreement === 'plural'
        ? noun.noun.text
        : pluralOf(noun.noun.text)
      : noun.noun.text;
  return [
    [
      {
        kind: 'question',
        text: join(
          which,
          unit && which === 'how many' && !/^(?:kind|type|style|color)s$/.test(unit) ? `${unit} of` : '',
          text,
        ),
        zh,
      },
    ],
    noun.next,
  ];
}

function preposition(words: readonly Word[], at: number, lexicon: Lexicon): [Part[], number] {
  const word = words[at];
  const zh = word?.zh ?? '';
  if (zh === '把' || zh === '被' || zh === '比' || zh === '将') {
    return [[{ kind: 'mark', zh: zh === '将' ? '把' : zh }], at + 1];
  }
  const phrase = (text: string, next: number, isTime = false): [Part[], number] => [
    [{ kind: 'phrase', text, isTime, isPast: false, isFuture: false }],
    next,
  ];
  const after = words[at + 1];
  const time = after?.tag === 't' ? after : null;
  if (time)
    return phrase(
      join(
        zh === '在' ? '' : (word?.forms[0] ?? ''),
        zh === '在' ? (time.forms[0] ?? '') : time.forms[1] || (time.forms[0] ?? ''),
      ),
      at + 2,
      true,
    );
  if (after && /^(?:here|there)$/.test(after.forms[0] ?? ''))
    return phrase(join(zh === '在' ? '' : (word?.forms[0] ?? ''), after.forms[0] ?? ''), at + 2);
  if (zh === '在' && after && /^(?:哪里|哪儿)$/.test(after.zh)) return question(words, at + 1, lexicon);
  const noun = nounAt(words, at + 1, lexicon);
  if (!noun)
    return zh === '在'
      ? [[{ kind: 'mark', zh: '正在' }], at + 1]
      : [[{ kind: 'phrase', text: word?.forms[0] ?? '', isTime: false, isPast: false, isFuture: false }], at + 1];
  const place = words[noun.next];
  const object = definite(noun.noun).object;
  const isPredicate =
    zh === '在' &&
    !words.slice(noun.next).some(({ tag }) => /^[va]$/.test(tag)) &&
    !words.slice(0, at).some((each) => each.tag === 'v' && !isModalWord(each));
  const placed = (text: string, next: number): [Part[], number] => {
    const [said] = phrase(text, next);
    return [isPredicate ? [{ kind: 'verb', zh: '在', verb: { base: 'be' } }, ...said] : said, next];
  };
  const relation = place?.tag === 'f' ? (PLACES[place.zh] ?? TIMES[place.zh]) : undefined;
  if (relation)
    return placed(relation.includes('~') ? relation.replace('~', object) : join(relation, object), noun.next + 1);
  const english =
    zh === '在'
      ? /\b(?:Amazon|platform|page|website|store)\b/.test(object)
        ? 'on'
        : /\b(?:customs|home|post office|door)\b/.test(object)
          ? 'at'
          : 'in'
      : (word?.forms[0] ?? '');
  return placed(join(english, object), noun.next);
}
