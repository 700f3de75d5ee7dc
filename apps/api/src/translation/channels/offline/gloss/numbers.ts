import type { Word } from './lexicon.js';

const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December',
]; // prettier-ignore

const figureOf = (word: Word | undefined): number | null =>
  word?.tag === 'm' && /^\d+$/.test(word.forms[0] ?? '') ? Number(word.forms[0]) : null;

const timeWord = (zh: string, on: string, bare: string): Word => ({ zh, tag: 't', forms: [`${on} ${bare}`, bare] });

const ordinal = (day: number): string => {
  const ending = /1[123]$/.test(String(day)) ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `the ${day}${ending}`;
};

/** A date, a size or a price for each, from `at`; null where none is. */
export function figuresAt(words: readonly Word[], at: number): { words: Word[]; length: number } | null {
  return (
    dateAt(words, at) ??
    clockAt(words, at) ??
    nth(words, at) ??
    partOfDay(words, at) ??
    roughly(words, at) ??
    sizeAt(words, at) ??
    priceAt(words, at)
  );
}

/** 2月8号, 6月, 2018年, 8号发货. */
function dateAt(words: readonly Word[], at: number): { words: Word[]; length: number } | null {
  const [figure, unit, day, last] = [figureOf(words[at]), words[at + 1]?.zh, figureOf(words[at + 2]), words[at + 3]];
  if (figure === null) return null;
  const month = unit === '月' ? MONTHS[figure - 1] : undefined;
  if (month !== undefined && day !== null && /^[号日]$/.test(last?.zh ?? ''))
    return { words: [timeWord('日', 'on', `${month} ${day}`)], length: 4 };
  if (month !== undefined) return { words: [timeWord('月', 'in', month)], length: 2 };
  if (unit === '年' && figure > 1900 && figure < 2100)
    return { words: [timeWord('年', 'in', String(figure))], length: 2 };
  const isDay = unit === '号' && figure > 0 && figure <= 31 && /^[vfdp]$/.test(words[at + 2]?.tag ?? '');
  return isDay ? { words: [timeWord('号', 'on', ordinal(figure))], length: 2 } : null;
}

/** 下午3点: "at 3 p.m.". */
function clockAt(words: readonly Word[], at: number): { words: Word[]; length: number } | null {
  const [part, hour, unit] = [words[at], figureOf(words[at + 1]), words[at + 2]?.zh];
  const half = /^(?:morning|afternoon|evening)$/.exec(part?.forms[1] ?? '')?.[0];
  if (part?.tag !== 't' || half === undefined || hour === null || !/^点钟?$/.test(unit ?? '')) return null;
  return { words: [timeWord('点', 'at', `${hour} ${half === 'morning' ? 'a.m.' : 'p.m.'}`)], length: 3 };
}

/** 第2件: "the 2nd". */
function nth(words: readonly Word[], at: number): { words: Word[]; length: number } | null {
  const figure = words[at]?.zh === '第' ? figureOf(words[at + 1]) : null;
  return figure === null ? null : { words: [{ zh: '第', tag: 'm', forms: [ordinal(figure)] }], length: 2 };
}

/** 明天早上: "tomorrow morning"; 今天下午: "this afternoon". */
function partOfDay(words: readonly Word[], at: number): { words: Word[]; length: number } | null {
  const [day, part] = [words[at], words[at + 1]];
  const bare = part?.forms[1];
  if (day?.tag !== 't' || part?.tag !== 't' || !/^(?:morning|noon|afternoon|evening|night)$/.test(bare ?? ''))
    return null;
  const on = day.zh === '今天' ? 'this' : (day.forms[0] ?? '');
  return { words: [{ zh: day.zh, tag: 't', forms: [`${on} ${bare}`] }], length: 2 };
}

/** 大概三天: "about three". */
function roughly(words: readonly Word[], at: number): { words: Word[]; length: number } | null {
  const [about, number] = [words[at], words[at + 1]];
  if (!/^(?:大概|大约|约|差不多)$/.test(about?.zh ?? '') || number?.tag !== 'm') return null;
  return { words: [{ ...number, forms: [`about ${number.forms[0] ?? ''}`] }], length: 2 };
}

const BATTERIES: Readonly<Record<number, string>> = { 5: 'AA', 7: 'AAA' };

/** 42码: "size 42"; 5号电池: "AA battery". */
function sizeAt(words: readonly Word[], at: number): { words: Word[]; length: number } | null {
  const figure = figureOf(words[at]);
  const battery = words[at + 1]?.zh === '号电池' ? BATTERIES[figure ?? 0] : undefined;
  if (battery !== undefined)
    return { words: [{ zh: '电池', tag: 'n', forms: [`${battery} battery`, `${battery} batteries`] }], length: 2 };
  const isSize = figure !== null && /^码$/.test(words[at + 1]?.zh ?? '');
  return isSize ? { words: [{ zh: '码', tag: 'eng', forms: [`size ${figure}`] }], length: 2 } : null;
}

/** 每公斤8美元: "$8 per kg". */
function priceAt(words: readonly Word[], at: number): { words: Word[]; length: number } | null {
  const [each, unit, price] = [words[at], words[at + 1], words[at + 2]];
  if (each?.zh !== '每' || unit?.tag !== 'q' || price?.tag !== 'eng') return null;
  return {
    words: [
      { zh: '每', tag: 'eng', forms: [`${price.forms[0] ?? ''} per ${unit.forms[0] || unit.forms[2] || 'piece'}`] },
    ],
    length: 3,
  };
}

const ALIKE: Readonly<Record<string, string>> = {
  一样: 'be the same as', 相同: 'be the same as', 不一样: 'be different from', 不同: 'be different from', 差不多: 'be similar to', 一致: 'be the same as',
}; // prettier-ignore

/** 跟图片不一样: "be different from the picture". */
export function alike(words: readonly Word[]): readonly Word[] {
  const last = words.findLastIndex(({ zh }) => ALIKE[zh] !== undefined);
  const from = words.findLastIndex(({ zh }, at) => at < last && /^(?:跟|和|与|同)$/.test(zh));
  const isEnd = words.slice(last + 1).every(({ tag, zh }) => /^[uy]$/.test(tag) && zh !== '的');
  if (last < 0 || from < 1 || !isEnd || words.slice(0, from).some(({ tag }) => tag === 'v')) return words;
  const isDenied = words[last - 1]?.zh === '不';
  const phrase = isDenied ? 'be different from' : (ALIKE[words[last]?.zh ?? ''] ?? '');
  const than = words.slice(from + 1, isDenied ? last - 1 : last);
  return [...words.slice(0, from), { zh: '一样', tag: 'v', forms: [phrase] }, ...than, ...words.slice(last + 1)];
}
