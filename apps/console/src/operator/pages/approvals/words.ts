import { language } from '../../../shared/i18n/language.js';
import type { Translate } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';

type Words = { zh: string; en: string };
type Value = Words | string | number | null;

/** A text in the page's language, a number in groups, a dash for nothing. */
export function shown(value: Value): string {
  if (value === null) return '—';
  if (typeof value === 'number') return grouped(value);
  return typeof value === 'string' ? value : value[language];
}

export const yuan = (fen: number): string => `¥${(fen / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`;

const MINUTE = 60;
const HOUR = 60 * MINUTE;

/** How long something waited, to the minute. */
export function duration(seconds: number, t: Translate<'approvals'>): string {
  if (seconds < MINUTE) return t('justNow');
  if (seconds < HOUR) return t('minutes', { n: Math.floor(seconds / MINUTE) });
  const [h, m] = [Math.floor(seconds / HOUR), Math.floor((seconds % HOUR) / MINUTE)];
  return m === 0 ? t('hours', { n: h }) : t('hoursMinutes', { h, m });
}

/** `71:34`: hours and minutes. */
export const countdown = (seconds: number): string =>
  `${Math.floor(seconds / HOUR)}:${String(Math.floor((seconds % HOUR) / MINUTE)).padStart(2, '0')}`;
