import { getSavings } from '@yiqiao/contracts/savings';
import { USAGE_DAYS } from '@yiqiao/domain/limits';
import { messageOf } from '../../../../shared/api/api-error.js';
import { useEndpoint } from '../../../../shared/api/use-endpoint.js';
import type { User } from '../../../../shared/auth/user.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { grouped } from '../../../../shared/ledger/amount-text.js';
import { Card } from '../../../../shared/ui/console/card.js';
import { ErrorState } from '../../../../shared/ui/error-state.js';
import { Forget } from './forget.js';
import { MemorySwitch } from './memory-switch.js';
import './savings.css';

type FigureProps = { label: string; value: number | undefined; unit: 'chars' | 'texts' };

function Figure({ label, value, unit }: FigureProps) {
  const t = useTexts('savings');
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {value === undefined ? <i className="sk" aria-hidden="true" /> : grouped(value)}
        {value !== undefined && <small>{t(unit, { n: value })}</small>}
      </dd>
    </div>
  );
}

/** What need not be translated twice, and what that saved: by the whole family for a main account, by itself for a sub-account. */
export function SavingsCard({ user }: { user: User }) {
  const t = useTexts('savings');
  const { data, isError, error, refetch } = useEndpoint(
    getSavings,
    { days: String(USAGE_DAYS) },
    { refetchOnMount: 'always' },
  );
  const used = user.translationCache === 1 || (data !== undefined && (data.texts > 0 || data.kept > 0));
  return (
    <Card className="ov-saved" title={t('title')} note={data && data.kept > 0 && <Forget user={user} />}>
      <MemorySwitch user={user} />
      {isError && (
        <ErrorState title={t('failed')} onReload={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      )}
      {used && !isError && (
        <dl className="ov-totals num">
          <Figure label={t('saved', { n: USAGE_DAYS })} value={data?.charNum} unit="chars" />
          <Figure label={t('answered', { n: USAGE_DAYS })} value={data?.texts} unit="texts" />
          <Figure label={t('kept')} value={data?.kept} unit="texts" />
        </dl>
      )}
    </Card>
  );
}
