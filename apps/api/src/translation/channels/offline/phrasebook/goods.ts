import type { Context, Entry, Reader } from './tables.js';
import type { Tongue } from './tokens.js';

/** 这款 / this, 我的 / my … before goods. */
const DETERMINERS: Readonly<Record<Tongue, readonly (readonly [RegExp, string, string])[]>> = {
  zh: [
    [/^这(?:一)?[款个件条双只台把套张瓶种顶块支本副对]$/u, 'this', '这款'],
    [/^那(?:一)?[款个件条双只台把套张瓶种顶块支本副对]$/u, 'that', '那款'],
    [/^这些$/u, 'these', '这些'],
    [/^我们?$/u, 'my', '我的'],
    [/^你$/u, 'your', '您的'],
    [/^这$/u, 'this', '这款'],
  ],
  en: [
    [/^this$/, 'this', '这款'],
    [/^that$/, 'that', '那款'],
    [/^these$/, 'these', '这些'],
    [/^those$/, 'those', '那些'],
    [/^the$/, '', ''],
    [/^my$/, 'my', '我的'],
    [/^your$/, 'your', '您的'],
    [/^an?$/, '', ''],
  ],
};

type Part = { readonly end: number; readonly zh: string; readonly en: string };

function determiner({ tongue, tokens }: Context, at: number): Part[] {
  const found: Part[] = [{ end: at, zh: '', en: '' }];
  for (const length of [3, 2, 1]) {
    if (at + length > tokens.length) continue;
    const text = tokens.slice(at, at + length).map(({ norm }) => norm);
    const written = text.join(tongue === 'zh' ? '' : ' ');
    const rule = DETERMINERS[tongue].find(([pattern]) => pattern.test(written));
    if (rule) found.unshift({ end: at + length, en: rule[1], zh: rule[2] });
  }
  return found;
}

/** A color, a material or a size before goods. */
function* modifiers(context: Context, at: number): Generator<Part> {
  yield { end: at, zh: '', en: '' };
  const { tongue, tokens, tables } = context;
  for (const table of ['color', 'material', 'size'] as const) {
    for (const { end, entry } of tables[table].read(tongue, tokens, at)) {
      const part = { zh: entry.zh[0] ?? '', en: entry.en[0] ?? '' };
      yield { end, ...part };
    }
  }
}

export const goods: Reader = function* (context, at) {
  const { tongue, tokens, tables } = context;
  for (const article of determiner(context, at))
    for (const modifier of modifiers(context, article.end))
      for (const { end, entry, name } of tables.goods.read(tongue, tokens, modifier.end)) {
        const isPlural = tongue === 'en' && name !== entry.en[0]?.toLowerCase() && name === entry.plural.toLowerCase();
        yield { end, value: (target, form) => sayGoods({ article, modifier, entry, isPlural }, target, form) };
      }
};

type Goods = { readonly article: Part; readonly modifier: Part; readonly entry: Entry; readonly isPlural: boolean };

/** An article of the text itself goes in place of `the` in the pattern: see `tidyEnglish`. */
const sayGoods = ({ article, modifier, entry, isPlural }: Goods, tongue: Tongue, form: string): string => {
  if (tongue === 'zh') return article.zh + modifier.zh + (entry.zh[0] ?? '');
  const [singular = ''] = entry.en;
  const hasPlural = entry.plural !== singular;
  // "pants" are plural, "furniture" is not.
  const isMany = hasPlural ? form === 'many' || isPlural : /[^s]s$/.test(singular);
  const noun = isMany ? entry.plural : singular;
  const phrase = [modifier.en, noun].filter((part) => part !== '').join(' ') + (isMany ? PLURAL : '');
  if (article.en !== '')
    return `‹${article.en === 'this' && isMany ? 'these' : article.en === 'that' && isMany ? 'those' : article.en}› ${phrase}`;
  if (form !== 'a' || !hasPlural) return phrase;
  return `${/^(?:[aeio]|u(?!ni|s))/i.test(phrase) ? 'an' : 'a'} ${phrase}`;
};

/** Stands after a plural until the verbs around it agree. */
const PLURAL = '‡';

const AGREEING: Readonly<Record<string, string>> = {
  is: 'are', was: 'were', does: 'do', has: 'have', "isn't": "aren't", "wasn't": "weren't", "doesn't": "don't", "hasn't": "haven't",
}; // prettier-ignore

/** Verbs beside a plural agree with it: "Is the pants" becomes "Are the pants". */
const agree = (text: string): string => {
  const plural = (verb: string): string => {
    const many = AGREEING[verb.toLowerCase()] ?? verb;
    return /^\p{Lu}/u.test(verb) ? many.charAt(0).toUpperCase() + many.slice(1) : many;
  };
  const verbs = Object.keys(AGREEING).join('|');
  return text
    .replace(new RegExp(`\\b(${verbs})\\b(?= (?:the |my |your |these |those )?[^.?!,]{0,40}${PLURAL})`, 'giu'), plural)
    .replace(new RegExp(`(?<=${PLURAL} (?:\\w+ )?)(${verbs})\\b`, 'giu'), plural)
    .replaceAll(PLURAL, '');
};

/** Takes `the`, `a`, `your` before goods away where the goods bring an article of their own. */
export const tidyEnglish = (text: string): string =>
  agree(text.replace(/(?:\b(?:the|an?|your|my|this|that|these|any|some) )?‹(\w+)›/giu, '$1'));
