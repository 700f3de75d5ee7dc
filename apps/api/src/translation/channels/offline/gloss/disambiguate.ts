import { isModal } from './english.js';
import type { Lexicon, Word } from './lexicon.js';
import { isNominal, isTimeUnit } from './noun-phrase.js';
import { isModalWord, sensed } from './senses.js';

/** Verb or noun, preposition or verb, by the neighbours. */
export function disambiguate(words: readonly Word[], lexicon: Lexicon): Word[] {
  return words.map((word, at) => {
    const [before, after] = [words[at - 1], words[at + 1]];
    const isFor =
      /^(?:帮|替|为|给)$/.test(word.zh) &&
      after?.tag === 'r' &&
      words[at + 2]?.tag !== 'm' &&
      words.slice(at + 2).some(({ tag }) => tag === 'v');
    if (isFor) return { ...word, tag: 'p', forms: [word.zh === '给' ? 'to' : 'for'] };
    if (word.zh === '让' && after) return { ...word, tag: 'v', forms: ['let', 'let', 'let'] };
    const isAfterNominal =
      before !== undefined &&
      (/^[qm]$/.test(before.tag) ||
        before.zh.endsWith('的') ||
        /^(?:有|没有|做|是)$/.test(before.zh) ||
        takesNoun(before));
    const isBeforeObject = after !== undefined && /^(?:[nrmq]|ns|eng)$/.test(after.tag);
    if (isNounAndVerb(word, lexicon)) {
      const isAttribute = after?.zh === '的' && isNominal(words[at + 2]);
      const isOnlyVerb = !words.some((other, index) => index !== at && other.tag === 'v' && !isModalWord(other));
      const isVerb =
        !isAfterNominal &&
        !isSubject(words, at, lexicon) &&
        !isAttribute &&
        (isOnlyVerb ||
          after?.zh === '了' ||
          after?.zh === '过' ||
          before === undefined ||
          /^[rdpt]$/.test(before.tag) ||
          isModal(before.forms[0] ?? '') ||
          isModalWord(before) ||
          /^(?:想|要|请|不|没|没有|可以|能|给|帮|申请)$/.test(before.zh) ||
          (isBeforeObject && before.tag !== 'v'));
      return lexicon.as(word, isVerb ? 'v' : 'n');
    }
    if (/^[去来]$/.test(word.zh) && after?.tag === 'ns')
      return { ...word, forms: word.forms.map((form) => `${form} to`) };
    const isWay =
      /^从$/.test(words[at - 2]?.zh ?? '') ||
      words.slice(0, at).some(({ tag, forms }) => tag === 'v' && !isModal(forms[0] ?? ''));
    if (/^到达?$/.test(word.zh) && after?.tag === 'ns' && !isWay)
      return { zh: word.zh, tag: 'v', forms: ['arrive in', 'arrived in', 'arrived in'] };
    const known = sensed(word, { words, at, before, after }, lexicon);
    if (known) return known;
    if (word.zh === '没有')
      return isBeforeObject ? { ...word, tag: 'v', forms: ['do not have'] } : { ...word, tag: 'd' };
    return word;
  });
}

/** 申请退款, 收到付款: what is asked for or received is a noun. */
const takesNoun = (word: Word): boolean =>
  word.tag === 'v' &&
  /^(?:request|receive|agree|reject|refuse|provide|accept|see|need|apply for|like|arrange|cancel|leave)$/.test(
    word.forms[0] ?? '',
  );

/** 包装很好, 退款被拒绝, 退款已经办理: what begins a clause and has a predicate after it is a noun. */
const isSubject = (words: readonly Word[], at: number, lexicon: Lexicon): boolean => {
  const before = words[at - 1];
  if (before && !/^[cn]$/.test(before.tag) && !/^(?:为什么|您的|你的|我的)$/.test(before.zh)) return false;
  const rest = words.slice(at + 1);
  const skipped = rest.findIndex(
    (word) => PREDICATES.test(word.zh) || (word.tag !== 'd' && !isNounAndVerb(word, lexicon)),
  );
  const next = rest[skipped];
  if (!next) return false;
  const isLater = skipped > 0 && rest[0]?.tag === 'd' && /^[vp]$/.test(next.tag);
  const isWhen =
    isTimeUnit(rest.slice(skipped).find(({ tag }) => tag === 'q')) &&
    rest.slice(skipped + 2).some(({ tag }) => tag === 'v');
  return (
    isLater ||
    (next.tag === 'm' && isWhen) ||
    next.tag === 'a' ||
    /^be /.test(next.forms[0] ?? '') ||
    PREDICATES.test(next.zh)
  );
};

const PREDICATES =
  /^(?:被|是|需要|要|必须|应该|没有|没|没问题|没有问题|还在|到账|好|多|少|差|满|对|可以|能|会|什么时候|多久|多长时间|多少钱)$/;

const isNounAndVerb = ({ zh, tag }: Word, lexicon: Lexicon): boolean =>
  /^[nv]$/.test(tag) && lexicon.find(zh, 'n') !== null && lexicon.find(zh, 'v') !== null;
