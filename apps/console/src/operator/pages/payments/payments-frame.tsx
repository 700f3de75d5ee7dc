import './payments.css';
import { getPaymentSummary } from '@yiqiao/contracts/operator/payments';
import type { ReactNode } from 'react';
import { NavLink, useSearchParams } from 'react-router';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { usePollInterval } from '../../shared/presence.js';

const EVERY_MS = 30_000;

export const useSummary = () => useEndpoint(getPaymentSummary, {}, { refetchInterval: usePollInterval(EVERY_MS) });

/** The title of the lists, and the way from one to the other with what waits in each. */
export function PaymentsHeader({ note, children }: { note: string; children?: ReactNode }) {
  const t = useMessages('payments');
  const title = useMessages('operator')('pagePayments');
  const { data } = useSummary();
  const tabs = [
    { to: '/payments/exceptions', name: t('tabExceptions'), count: data?.exceptions, hot: true },
    { to: '/payments/orders', name: t('tabOrders') },
    { to: '/payments/refunds', name: t('tabRefunds'), count: data?.openRefunds },
    { to: '/payments/reconciliations', name: t('tabReconciliations'), count: data?.openDifferences },
  ];
  return (
    <>
      <PageHeader title={title} note={note}>
        {children}
      </PageHeader>
      <nav className="page-tabs" aria-label={t('tabs')}>
        {tabs.map(({ to, name, count, hot }) => (
          <NavLink key={to} to={to}>
            {name}
            {count !== undefined && count > 0 && <em className={hot ? 'hot numeric' : 'numeric'}>{grouped(count)}</em>}
          </NavLink>
        ))}
      </nav>
    </>
  );
}

/** Filters in the address; another filter goes back to the first page. */
export function useAddress<Name extends string>(names: readonly Name[]) {
  const [params, setParams] = useSearchParams();
  const given = names.flatMap((name) => {
    const value = params.get(name);
    return value ? [[name, value] as const] : [];
  });
  const filters = Object.fromEntries(given) as Partial<Record<Name, string>>;
  const change = (values: Partial<Record<Name | 'page', string | undefined>>): void =>
    setParams(
      (old) => {
        const next = new URLSearchParams(old);
        next.delete('page');
        for (const [name, value] of Object.entries<string | undefined>(values))
          if (value) next.set(name, value);
          else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return { filters, page: Number(params.get('page') ?? '1') || 1, change };
}

/** Whole days of the address as the moments of the API. */
export const momentsOf = <F extends { from?: string; to?: string }>({ from, to, ...rest }: F) => ({
  ...rest,
  ...(from ? { from: `${from} 00:00:00` } : {}),
  ...(to ? { to: `${to} 23:59:59` } : {}),
});

export const downloadOf = (path: string, query: Record<string, string | undefined>): string => {
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return `/operator-api${path}?${search.toString()}`;
};
