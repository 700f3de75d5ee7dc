/** Answers as they stand on the page, the same in both languages but for their texts. */
import { LANGUAGE_ROWS } from './samples.js';

const WIDEST = 100;

/** JSON as people write it: what fits is on one line. */
export function json(value: unknown, indent = ''): string {
  const onOneLine = JSON.stringify(value, null, 1)
    .replaceAll(/\n\s*/g, ' ')
    .replaceAll(/\[ | \]/g, (found) => found.trim());
  if (typeof value !== 'object' || value === null || indent.length + onOneLine.length <= WIDEST) return onOneLine;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const deeper = `${indent}  `;
  const lines = Object.entries(value).map(
    ([key, each]) => deeper + (Array.isArray(value) ? '' : `${JSON.stringify(key)}: `) + json(each, deeper),
  );
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

type Item = { readonly translated: string; readonly charged: number };

/** `source`: the language that was detected. */
export const translatedTo = (source: string, items: readonly Item[]): string =>
  json({
    success: true,
    data: {
      items: items.map((item) => ({ success: true, ...item, code: null, msg: null, source })),
      charged: items.reduce((sum, { charged }) => sum + charged, 0),
    },
    msg: '',
  });

export const refused = (msg: string): string =>
  json({
    success: false,
    data: { period: 'day', cap: 10_000, left: 3, renewsAt: '2026-12-01 00:00:00', apiKeyId: 12 },
    msg,
    code: 'API_KEY_CAP_REACHED',
    status: 422,
  });

export const LANGUAGES = json({
  success: true,
  data: { sourceList: [LANGUAGE_ROWS.source], targetList: [LANGUAGE_ROWS.target] },
  msg: '',
});

export const USAGE = json({
  success: true,
  data: {
    balance: { charNum: 1_284_500, expireDateTime: null, translationBillingMode: 'char' },
    key: {
      name: 'Shop',
      dayCap: 10_000,
      monthCap: 0,
      usedToday: 186,
      usedThisMonth: 4_210,
      expireDateTime: '2027-11-28 20:14:32',
    },
  },
  msg: '',
});

export const termsOf = (row: { source: string; target: string; term: string; translation: string }): string =>
  json({
    success: true,
    data: {
      rows: [{ id: 17, ...row, createDateTime: '2026-11-28 20:14:32', updateDateTime: '2026-11-28 20:14:32' }],
      total: 1,
      count: 1,
      version: 3,
    },
    msg: '',
  });
