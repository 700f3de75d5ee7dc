import { getUsage } from '@yiqiao/contracts/user';
import { USAGE_DAYS } from '@yiqiao/domain/limits';
import { Link, useSearchParams } from 'react-router';
import { useEndpoint, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useLive } from '../../shared/use-live.js';

/** The usage of the last `days` days, refetched on every visit and whenever the account changes. */
export function useUsage(days: number) {
  const invalidate = useInvalidateEndpoint();
  const look = (): void => void invalidate(getUsage);
  useLive('account', look);
  useLive('ready', ({ again }) => again && look());
  return useEndpoint(getUsage, { days: String(days) }, { refetchOnMount: 'always' });
}

type UsageQuery = ReturnType<typeof useUsage>;

/** The props of the usage cards: the number of days, and the query. */
export type UsageProps = { days: number; query: UsageQuery };

const CHOICES = [7, USAGE_DAYS] as const;
const PARAMETER = 'days';

/** The number of days that the usage cards show: the URL's, if it is one of the choices. */
export function useUsageDays(): number {
  const [params] = useSearchParams();
  return CHOICES.find((days) => params.get(PARAMETER) === String(days)) ?? USAGE_DAYS;
}

/** Switches all usage cards between the last week and the last month. */
export function UsageDays() {
  const t = useMessages('overview');
  const [params] = useSearchParams();
  const chosen = useUsageDays();
  const to = (days: number): { search: string } => {
    const next = new URLSearchParams(params);
    if (days === USAGE_DAYS) next.delete(PARAMETER);
    else next.set(PARAMETER, String(days));
    return { search: next.toString() };
  };
  return (
    <span className="ov-span" role="group" aria-label={t('span')}>
      {CHOICES.map((days) => (
        <Link key={days} to={to(days)} replace aria-current={days === chosen ? 'true' : undefined}>
          {t('spanDays', { n: days })}
        </Link>
      ))}
    </span>
  );
}
