import { durationOf, grouped, signed, yuan } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { Change, Field, Prices, Subject } from './draft.js';

/** Fen as `+¥12,240.00`. */
export const signedYuan = (fen: number): string => `${fen > 0 ? '+' : fen < 0 ? '−' : ''}¥${yuan(Math.abs(fen))}`;
/** Micro-yuan, rounded to the fen. */
export const fenOf = (microYuan: number): number => Math.round(microYuan / 10_000);
export const plainYuan = (fen: number): string => `${fen < 0 ? '−' : ''}¥${yuan(Math.abs(fen))}`;
/** The colour of a difference that is good when it is positive. */
export const toneOf = (n: number): string => (n > 0 ? 'success-text' : n < 0 ? 'danger-text' : '');
export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
/** `11-18 10:31` */
export const shortTime = (at: string): string => at.slice(5, 16);

/** What a unit of a plan costs: micro-yuan per character or per minute. */
export const unitPrice = (salePrice: number, num: number): number => (salePrice * 10_000) / Math.max(1, num);

export function usePriceWords({ channels }: Pick<Prices, 'channels'>) {
  const t = useMessages('prices');
  const channel = (id: number): string => channels.find((one) => one.id === id)?.name ?? `#${id}`;
  /** The size of a plan: characters, or days. */
  const size = (num: number, mode: Subject['billingMode']): string => {
    if (mode !== 'time') return grouped(num);
    const { days, hours, minutes } = durationOf(num);
    return hours === 0 && minutes === 0 ? t('days', { n: grouped(days) }) : t('minutes', { n: grouped(num) });
  };
  const value = (field: Field, n: number, mode: Subject['billingMode'] = null): string => {
    switch (field) {
      case 'salePrice':
        return `¥${yuan(n)}`;
      case 'price':
        return t('micro', { n: grouped(n) });
      case 'minutePrice':
        return t('microMinute', { n: grouped(n) });
      case 'num':
        return size(n, mode);
      case 'referenceChannelId':
        return channel(n);
      case 'onSale':
        return t(n === 1 ? 'onSale' : 'offSale');
      case 'voiceNum':
      case 'imageNum':
        return grouped(n);
    }
  };
  const what = ({ subject, field }: Change): string =>
    t(subject.kind === 'plan' ? 'changeOfPlan' : 'changeOfChannel', { name: subject.name, field: t(`field_${field}`) });
  return { t, channel, size, value, what, signed };
}
