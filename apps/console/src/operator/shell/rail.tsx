import { useMenu } from '@refinedev/core';
import { getPaymentSummary } from '@yiqiao/contracts/operator/payments';
import { listRequests } from '@yiqiao/contracts/operator/requests';
import { listVendorAccounts } from '@yiqiao/contracts/operator/vendors';
import { type ComponentType, useId } from 'react';
import { Link, useMatches } from 'react-router';
import { useMessages } from '../../shared/i18n/messages.js';
import { useEndpoint } from '../../shared/refine/use-endpoint.js';
import { Icon } from '../../shared/ui/icon.js';
import { usePollInterval } from '../shared/presence.js';
import { Wordmark } from '../shared/wordmark.js';
import { LedgerStatus } from './ledger-status.js';
import { MENU_GROUPS, operatorPages, type OperatorPage, type PageMeta } from '../resources.js';

/** Between reads for an event that was missed. */
const BADGE_MS = 60_000;
const BADGE_MOST = 99;

/** The row of the page table whose page is on screen. */
export const useRow = (): OperatorPage | undefined =>
  useMatches()
    .map(({ handle }) => handle as OperatorPage | undefined)
    .findLast((row) => row !== undefined);

/** Preloads a page's code when its entry is hovered. The page itself reports a failure. */
const prefetch = (to: string): void => {
  operatorPages
    .find(({ path }) => path === to)
    ?.page()
    .catch(() => undefined);
};

function Badge({ n, what }: { n: number; what: 'waitingRequests' | 'waitingPayments' | 'waitingVendors' }) {
  const t = useMessages('operator');
  return (
    n > 0 && (
      <em className="numeric">
        {n > BADGE_MOST ? `${BADGE_MOST}+` : n}
        <i className="visually-hidden"> {t(what, { n })}</i>
      </em>
    )
  );
}

/** Requests that wait for a second person. */
function Requests() {
  const refetchInterval = usePollInterval(BADGE_MS);
  const { data } = useEndpoint(listRequests, { state: 'open', pageSize: '1' }, { refetchInterval });
  return <Badge n={data?.open.all ?? 0} what="waitingRequests" />;
}

function Exceptions() {
  const { data } = useEndpoint(getPaymentSummary, {}, { refetchInterval: usePollInterval(BADGE_MS) });
  return <Badge n={data?.exceptions ?? 0} what="waitingPayments" />;
}

/** Vendor accounts that are cut off, or have sent their cap. */
function Vendors() {
  const { data } = useEndpoint(listVendorAccounts, {}, { refetchInterval: usePollInterval(BADGE_MS) });
  const accounts = data?.channels.flatMap((channel) => channel.accounts) ?? [];
  const down = accounts.filter(
    ({ paused, health }) => !paused && (health.breaker === 'open' || health.charsLeft === 0),
  );
  return <Badge n={down.length} what="waitingVendors" />;
}

/** By the resource of the entry that they are on. */
const BADGES: Readonly<Record<string, ComponentType>> = {
  requests: Requests,
  exceptions: Exceptions,
  'vendor-accounts': Vendors,
};

function BadgeOf({ resource }: { resource: string }) {
  const Of = BADGES[resource];
  return Of ? <Of /> : null;
}

/** The side bar: 216 px, 60 px below 1180 and a drawer below 640 (OPERATOR.md §2). */
export function Rail({ onGo }: { onGo?: () => void }) {
  const t = useMessages('operator');
  const id = useId(); // it is there twice: at the side, and in the drawer of phones
  const row = useRow();
  const current = row?.within ?? row?.path;
  const { menuItems } = useMenu();
  const entries = menuItems.map(({ name, route, meta }) => ({ name, to: route ?? '', meta: meta as PageMeta }));
  return (
    <div className="rail-in">
      <Link className="logo" to="/" onClick={onGo}>
        <Wordmark />
      </Link>
      <nav aria-label={t('operators')}>
        {MENU_GROUPS.map((group) => {
          const inGroup = entries.filter(({ meta }) => meta.group === group);
          if (inGroup.length === 0) return null;
          return [
            group !== 'today' && (
              <b key={`${group}-title`} id={`${id}-${group}`}>
                {t(`group_${group}`)}
              </b>
            ),
            <ul key={group} aria-labelledby={group === 'today' ? undefined : `${id}-${group}`}>
              {inGroup.map(({ name, to, meta }) => (
                <li key={name}>
                  <Link
                    to={to}
                    title={meta.label}
                    aria-current={to === current ? 'page' : undefined}
                    onClick={onGo}
                    onPointerEnter={() => prefetch(to)}
                    onFocus={() => prefetch(to)}
                  >
                    {meta.icon && <Icon name={meta.icon} />}
                    <span>{meta.label}</span>
                    <BadgeOf resource={name} />
                  </Link>
                </li>
              ))}
            </ul>,
          ];
        })}
      </nav>
      <LedgerStatus onGo={onGo} />
    </div>
  );
}
