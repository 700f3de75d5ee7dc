import { chineseNumber } from './numerals.js';
import { listed, type Reader, type SlotValue } from './tables.js';

const MONTHS = [
  'January', 'February', 'March', 'April', 'May', 'June',
  'July', 'August', 'September', 'October', 'November', 'December',
]; // prettier-ignore

const monthOf = (word = ''): number =>
  MONTHS.findIndex(
    (month) => month.toLowerCase() === word || (word.length >= 3 && month.toLowerCase().slice(0, word.length) === word),
  ) + 1;

const dayOf = (word = ''): number => Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1] ?? 0);

const ordinal = (day: number): string => {
  const ending = day % 100 > 10 && day % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  return `${day}${ending}`;
};

const dated = (month: number, day: number): SlotValue => {
  if (month === 0) return (target) => (target === 'zh' ? `${day}号` : `the ${ordinal(day)}`);
  return (target) => (target === 'zh' ? `${month}月${day}日` : `${MONTHS[month - 1] ?? ''} ${day}`);
};

export const date: Reader = function* (context, at) {
  yield* listed('date-words')(context, at);
  const { tongue, tokens } = context;
  if (tongue === 'en') {
    const [first = '', second = '', third = ''] = tokens.slice(at, at + 3).map(({ norm }) => norm);
    if (monthOf(first) > 0 && dayOf(second) > 0) yield { end: at + 2, value: dated(monthOf(first), dayOf(second)) };
    if (dayOf(first) > 0 && monthOf(second) > 0) yield { end: at + 2, value: dated(monthOf(second), dayOf(first)) };
    if (first === 'the' && dayOf(second) > 0 && second !== String(dayOf(second)) && monthOf(third) === 0)
      yield { end: at + 2, value: dated(0, dayOf(second)) };
    return;
  }
  const month = chineseNumber(tokens, at);
  if (!month) return;
  const n = Number(month.digits);
  if (/^[日号]$/.test(tokens[month.end]?.norm ?? '') && n <= 31) yield { end: month.end + 1, value: dated(0, n) };
  if (tokens[month.end]?.norm !== '月' || n > 12) return;
  const day = chineseNumber(tokens, month.end + 1);
  if (day && /^[日号]$/.test(tokens[day.end]?.norm ?? ''))
    yield { end: day.end + 1, value: dated(n, Number(day.digits)) };
};
