import type { EntryLine, OtherLine } from '@yiqiao/domain/trial-balance';
import type { ReactNode } from 'react';
import { grouped, yuan } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { QUANTITIES, useBooks } from './use-books.js';

/** A number with a real minus. */
export const minus = (n: number): string => grouped(n).replace('-', '−');
/** Fen as `−¥12.00`. */
export const money = (fen: number): string => `${fen < 0 ? '−' : ''}¥${yuan(Math.abs(fen))}`;

/** The head of a table of lines: texts, then numbers that end with the quantities and the money. */
export function LineHeads({ texts, numbers = [] }: { texts: readonly string[]; numbers?: readonly string[] }) {
  const t = useMessages('audits');
  return (
    <thead>
      <tr>
        {texts.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
        {[...numbers, ...QUANTITIES.map((quantity) => t(quantity)), t('amount')].map((name) => (
          <th key={name} scope="col" className="end">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

type Numbers = { charNum: number; voiceNum: number; imageNum: number; amount: number };

export function LineCells({ of }: { of: Numbers }) {
  return (
    <>
      {QUANTITIES.map((quantity) => (
        <td key={quantity} className={of[quantity] === 0 ? 'end faint' : 'end'}>
          {minus(of[quantity])}
        </td>
      ))}
      <td className="end">{of.amount === 0 ? '' : money(of.amount)}</td>
    </>
  );
}

/** A number that opens what it is made of. */
export function Opens({ line, name, children }: { line: EntryLine | OtherLine; name: string; children: ReactNode }) {
  const t = useMessages('audits');
  const { change } = useBooks();
  return (
    <button
      type="button"
      className="books-open"
      title={t('opens')}
      aria-label={t('opensWhat', { name })}
      onClick={() => change({ line, day: null, plan: null })}
    >
      {children}
    </button>
  );
}
