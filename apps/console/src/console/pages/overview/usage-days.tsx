import { USAGE_DAYS } from '@yiqiao/domain/limits';
import { Link, useSearchParams } from 'react-router';
import { useTexts } from '../../../shared/i18n/texts.js';

const CHOICES = [7, USAGE_DAYS] as const;
const PARAMETER = 'days';

/** Of how many days the cards tell the use: what the URL says, if it is one of the choices. */
export function useUsageDays(): number {
  const [params] = useSearchParams();
  return CHOICES.find((days) => params.get(PARAMETER) === String(days)) ?? USAGE_DAYS;
}

/** The last week or the last month, for all cards about the use at once. */
export function UsageDays() {
  const t = useTexts('overview');
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
