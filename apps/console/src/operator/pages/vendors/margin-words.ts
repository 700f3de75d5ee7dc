import type { Response } from '@yiqiao/contracts/endpoint';
import type { getMargin } from '@yiqiao/contracts/operator/margin';
import { grouped, yuan } from '../../../shared/amounts.js';

export type Sums = Response<typeof getMargin>['total'];

/** Micro-yuan as `−¥4,663.00`; `whole`: without decimals; `signed`: with a plus, too. */
export function moneyOf(microYuan: number, shown: 'exact' | 'whole' | 'signed' = 'exact'): string {
  const fen = Math.round(microYuan / 10_000);
  const isWhole = shown === 'whole' && Math.abs(fen) >= 10_000;
  const digits = isWhole ? grouped(Math.round(Math.abs(fen) / 100)) : yuan(Math.abs(fen));
  return `${fen < 0 ? '−' : shown === 'signed' ? '+' : ''}¥${digits}`;
}

/** What is left of the value, and its share; null without a value. */
export const marginOf = ({ value, cost }: Sums): { margin: number; share: string | null } => ({
  margin: value - cost,
  share: value === 0 ? null : `${(((value - cost) / value) * 100).toFixed(1).replace('-', '−')} %`,
});

/** Micro-yuan per character is yuan per million of them. */
export const perMillion = (microYuan: number, chars: number): string =>
  chars === 0 ? '—' : (microYuan / chars).toFixed(1);

export const fenOfYuan = (amount: number): number => Math.round(amount * 100);
