import { chineseNumber, englishNumber, sayNumber } from './numerals.js';
import type { Context, Reader, Reading, SlotValue } from './tables.js';
import { tokenize, type Tongue } from './tokens.js';

export const number: Reader = function* ({ tongue, tokens }, at) {
  const found = tongue === 'zh' ? chineseNumber(tokens, at) : englishNumber(tokens, at);
  if (found) yield { end: found.end, value: (target) => sayNumber(found, target) };
};

const CURRENCIES: readonly { zh: RegExp; en: RegExp; sign: string; sayZh: string; sayEn: (n: string) => string }[] = [
  {
    zh: /^(?:美元|美金|美刀|刀|usd)$/,
    en: /^(?:dollars?|bucks?|usd)$/,
    sign: '$',
    sayZh: '美元',
    sayEn: (n) => `$${n}`,
  },
  { zh: /^(?:欧元|eur)$/, en: /^(?:euros?|eur)$/, sign: '€', sayZh: '欧元', sayEn: (n) => `${n} euros` },
  { zh: /^(?:英镑|gbp)$/, en: /^(?:pounds?|gbp)$/, sign: '£', sayZh: '英镑', sayEn: (n) => `£${n}` },
  { zh: /^(?:日元|日币|jpy)$/, en: /^(?:yen|jpy)$/, sign: '', sayZh: '日元', sayEn: (n) => `${n} yen` },
  { zh: /^(?:港币|港元|hkd)$/, en: /^hkd$/, sign: '', sayZh: '港币', sayEn: (n) => `HK$${n}` },
  {
    zh: /^(?:元|块|块钱|人民币|元人民币|rmb|cny)$/,
    en: /^(?:yuan|rmb|cny)$/,
    sign: '¥',
    sayZh: '元',
    sayEn: (n) => `${n} yuan`,
  },
];

export const money: Reader = function* (context, at) {
  const { tongue, tokens } = context;
  const sign = CURRENCIES.find((currency) => currency.sign !== '' && currency.sign === tokens[at]?.norm);
  const start = sign ? at + 1 : at;
  for (const { end, value } of number(context, start)) {
    const amount = (target: Tongue): string => value(target, '');
    const valueOf =
      (currency: (typeof CURRENCIES)[number]): SlotValue =>
      (target) =>
        target === 'zh' ? amount('zh') + currency.sayZh : currency.sayEn(amount('en'));
    if (sign) yield { end, value: valueOf(sign) };
    for (const length of [4, 3, 2, 1]) {
      if (sign || end + length > tokens.length) continue;
      const unit = tokens.slice(end, end + length).map(({ norm }) => norm);
      const currency = CURRENCIES.find((each) => each[tongue].test(unit.join(tongue === 'zh' ? '' : ' ')));
      if (currency) yield { end: end + length, value: valueOf(currency) };
    }
  }
};

export const percent: Reader = function* (context, at) {
  const { tongue, tokens } = context;
  const words = tokens.slice(at, at + 3).map(({ norm }) => norm);
  if (tongue === 'zh' && words.join('') === '百分之')
    for (const { end, value } of number(context, at + 3)) yield { end, value: () => `${value('zh', '')}%` };
  for (const { end, value } of number(context, at)) {
    const sign = tokens[end]?.norm;
    if (sign === '%' || (tongue === 'en' && sign === 'percent'))
      yield { end: end + 1, value: () => `${value('zh', '')}%` };
  }
};

/** Two numbers with "to" between them are a range. */
function* amounts(context: Context, at: number): Generator<Reading & { readonly isOne: boolean }> {
  for (const { end, value } of number(context, at)) {
    const isOne = value('zh', '') === '1' || value('zh', '') === '一';
    yield { end, value, isOne };
    const link = context.tokens[end]?.norm ?? '';
    if (!['到', '至', '-', '~', 'to', 'or', '或'].includes(link)) continue;
    for (const other of number(context, end + 1))
      yield {
        end: other.end,
        isOne: false,
        value: (target) =>
          value(target, '') + (target === 'zh' ? '到' : /or|或/.test(link) ? ' or ' : ' to ') + other.value(target, ''),
      };
  }
}

export const quantity: Reader = function* (context, at) {
  const { tongue, tokens, tables } = context;
  for (const amount of amounts(context, at))
    for (const { end, entry } of tables.unit.read(tongue, tokens, amount.end))
      yield {
        end,
        value: (target) =>
          target === 'zh'
            ? amount.value('zh', '') + (entry.zh[0] ?? '')
            : `${amount.value('en', '')} ${amount.isOne ? (entry.en[0] ?? '') : entry.plural}`,
      };
};

const DURATIONS: readonly { zh: RegExp; en: RegExp; sayZh: string; sayEn: string }[] = [
  { zh: /^个?工作日$/, en: /^(?:working|business) days?$/, sayZh: '个工作日', sayEn: 'business day' },
  { zh: /^天$/, en: /^days?$/, sayZh: '天', sayEn: 'day' },
  { zh: /^(?:个?小时|个钟|个?钟头)$/, en: /^(?:hours?|hrs?)$/, sayZh: '小时', sayEn: 'hour' },
  { zh: /^分钟$/, en: /^(?:minutes?|mins?)$/, sayZh: '分钟', sayEn: 'minute' },
  { zh: /^(?:周|个?星期|个?礼拜)$/, en: /^weeks?$/, sayZh: '周', sayEn: 'week' },
  { zh: /^个?月$/, en: /^months?$/, sayZh: '个月', sayEn: 'month' },
  { zh: /^年$/, en: /^years?$/, sayZh: '年', sayEn: 'year' },
];

const FIXED_DURATIONS: readonly (readonly [string, string])[] = [
  ['半天', 'half a day'],
  ['半个小时', 'half an hour'],
  ['半小时', 'half an hour'],
  ['半个月', 'half a month'],
  ['半年', 'half a year'],
  ['几天', 'a few days'],
  ['好几天', 'several days'],
  ['几个小时', 'a few hours'],
  ['几周', 'a few weeks'],
  ['几个月', 'a few months'],
  ['一段时间', 'some time'],
];

export const duration: Reader = function* (context, at) {
  const { tongue, tokens } = context;
  for (const [zh, en] of FIXED_DURATIONS) {
    const words = tokenize(tongue === 'zh' ? zh : en);
    if (words.every(({ norm }, offset) => tokens[at + offset]?.norm === norm))
      yield { end: at + words.length, value: (target) => (target === 'zh' ? zh : en) };
  }
  for (const amount of amounts(context, at))
    for (const length of [4, 3, 2, 1]) {
      const unit = tokens.slice(amount.end, amount.end + length);
      if (unit.length < length) continue;
      const written = unit.map(({ norm }) => norm).join(tongue === 'zh' ? '' : ' ');
      const found = DURATIONS.find((each) => each[tongue].test(written));
      if (found)
        yield {
          end: amount.end + length,
          value: (target) =>
            target === 'zh'
              ? amount.value('zh', '') + found.sayZh
              : amount.isOne
                ? `${found.sayEn === 'hour' ? 'an' : 'a'} ${found.sayEn}`
                : `${amount.value('en', '')} ${found.sayEn}s`,
        };
    }
};
