import type { Endpoint, Request, Response } from '@yiqiao/contracts/endpoint';
import { TOTALS_ROWS_MAX } from '@yiqiao/domain/limits';
import { useEffect, useRef } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../api/use-endpoint.js';

/** The filters of a log as parameters, and how many entries match them. */
export type TotalsOf = { input: Readonly<Record<string, string>>; total: number };

/** The sums of a filter; read again when the number of its entries changes. */
export function useTotals<E extends Endpoint>(endpoint: E, { input, total }: TotalsOf): Response<E> | undefined {
  const { data, refetch } = useEndpoint(endpoint, input as Request<E>, { gcTime: 0 });
  const seen = useRef(total);
  useEffect(() => {
    if (seen.current === total) return;
    seen.current = total;
    void refetch();
  }, [total, refetch]);
  return data;
}

/** Quantities with their units, e.g. `−186 字符`. */
type Sums = readonly string[];

/** The sums of all entries that the filter finds, and of each channel; undefined for too many entries. `total`: of the answer. */
export function LogTotals({
  total,
  all,
  channels,
}: {
  total: number;
  all: Sums;
  channels: readonly { name: string; sums: Sums }[] | undefined;
}) {
  const t = useMessages('logs');
  if (channels === undefined)
    return (
      <p className="lg-totals">
        {total > TOTALS_ROWS_MAX ? t('tooManyToSum', { n: grouped(TOTALS_ROWS_MAX) }) : t('tooManyFilteredToSum')}
      </p>
    );
  const sums = (parts: Sums) => parts.map((part) => <span key={part}>{part}</span>);
  return (
    <details className="lg-totals numeric">
      <summary>
        <b>{t('sums')}</b>
        {sums(all)}
      </summary>
      <dl aria-label={t('byChannel')}>
        {channels.map(({ name, sums: parts }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{sums(parts)}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
