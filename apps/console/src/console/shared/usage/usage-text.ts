/** How the usage chart names days and amounts. */
import { language, locale } from '../../../shared/i18n/language.js';
import type { Translate } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import type { Scale } from './usage-scale.js';

const WEEKDAY = new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });

/** `11 月 2 日 周一` / `Mon 2 Nov`. Days are the server's: the browser's zone plays no part. */
export const dayText = (date: string, t: Translate<'usage'>): string => {
  const at = new Date(`${date}T00:00:00Z`);
  const month = language === 'zh' ? at.getUTCMonth() + 1 : MONTH.format(at);
  return t('chartDay', { month, day: at.getUTCDate(), weekday: WEEKDAY.format(at) });
};

export const tickText = (tick: number, { inThousands }: Scale): string => grouped(inThousands ? tick / 1000 : tick);

export const meanText = (mean: number, { inThousands }: Scale): string =>
  inThousands ? (mean / 1000).toLocaleString('en-US', { maximumFractionDigits: 1 }) : grouped(Math.round(mean));
