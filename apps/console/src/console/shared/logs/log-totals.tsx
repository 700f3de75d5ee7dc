import type { Endpoint, Request } from '@yiqiao/contracts/endpoint';
import { TOTALS_ROWS_MAX } from '@yiqiao/domain/limits';
import { useEffect, useRef } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { type EndpointQuery, useEndpoint } from '../../../shared/refine/use-endpoint.js';

/** The filters of a log as parameters, and how many entries match them. */
export type TotalsOf = { input: Readonly<Record<string, string>>; total: number };

/** The least time between two reads of the same sums, which a bulk translation changes several times a second. */
const REREAD_MS = 10_000;

/** The sums of a filter; read again when the number of its entries changes, at most every REREAD_MS. */
export function useTotals<E extends Endpoint>(endpoint: E, { input, total }: TotalsOf): EndpointQuery<E> {
  const query = useEndpoint(endpoint, input as Request<E>, { gcTime: 0 });
  const { dataUpdatedAt, isFetching, refetch } = query;
  const seen = useRef(total);
  const rereadAt = useRef(0);
  useEffect(() => {
    if (seen.current === total || isFetching) return undefined;
    const timer = setTimeout(
      () => {
        seen.current = total;
        rereadAt.current = Date.now();
        void refetch();
      },
      Math.max(0, Math.max(dataUpdatedAt, rereadAt.current) + REREAD_MS - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [total, isFetching, dataUpdatedAt, refetch]);
  return query;
}

/** In the place of sums that are not there: nothing while they are read, or that they could not be. */
export function NoTotals({ isError, refetch }: Pick<EndpointQuery<Endpoint>, 'isError' | 'refetch'>) {
  const t = useMessages('logs');
  if (!isError) return null;
  return (
    <p role="status">
      {t('sumsFailed')}
      <button type="button" className="link" onClick={() => void refetch()}>
        {t('again')}
      </button>
    </p>
  );
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
      <p>{total > TOTALS_ROWS_MAX ? t('tooManyToSum', { n: grouped(TOTALS_ROWS_MAX) }) : t('tooManyFilteredToSum')}</p>
    );
  const sums = (parts: Sums) => parts.map((part) => <span key={part}>{part}</span>);
  return (
    <details className="numeric">
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
