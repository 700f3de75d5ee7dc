import type { Translate } from '../i18n/messages.js';
import { durationOf, type Amount } from './entry-reading.js';

/**
 * A number as `1,284,500`, in both languages (DESIGN §5). Not `toLocaleString`: what it loads at its first use keeps a slow phone
 * busy for 70 ms.
 */
export const grouped = (n: number): string => String(n).replaceAll(/(?<![.]\d*)\B(?=(\d{3})+(?!\d))/g, ',');
/** The whole number `n` with its last `places` digits as decimals, of which at least `least` are said: `12,345.6`. */
export function withDecimals(n: number, { places, least = 0 }: { places: number; least?: number }): string {
  const digits = String(Math.abs(n)).padStart(places + 1, '0');
  const decimals = digits.slice(-places).replace(/0+$/, '').padEnd(least, '0');
  return `${n < 0 ? '-' : ''}${grouped(Number(digits.slice(0, -places)))}${decimals === '' ? '' : `.${decimals}`}`;
}
/** `+10,000`, `−186` with a real minus, `0`. */
export const signed = (n: number): string => `${n > 0 ? '+' : n < 0 ? '−' : ''}${grouped(Math.abs(n))}`;
/** Fen as yuan with two decimals (specification §9). */
export const yuan = (fen: number): string => withDecimals(fen, { places: 2, least: 2 });

/** Minutes as `13 天 4 小时`, without a sign. */
export const durationText = (minutes: number, t: Translate<'ledger'>): string => {
  const { days, hours, minutes: rest } = durationOf(minutes);
  const parts = [days > 0 && t('days', { n: grouped(days) }), hours > 0 && t('hours', { n: hours })];
  const text = [...parts, rest > 0 && t('minutes', { n: rest })].filter(Boolean).join(' ');
  return text === '' ? t('minutes', { n: 0 }) : text;
};

/** A signed change with its unit: `−186 字符`, `+30 天`. */
export const amountText = ({ quantity, change }: Amount, t: Translate<'ledger'>): string => {
  if (quantity === 'min') return `${change < 0 ? '−' : '+'}${durationText(change, t)}`;
  const unit = { char: 'chars', voice: 'voice', image: 'image' } as const;
  return t(unit[quantity], { n: signed(change) });
};
