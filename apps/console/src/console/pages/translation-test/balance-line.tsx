import { Link } from 'react-router';
import { useTexts } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import { PackageOver, usePackageIsOver } from '../../../shared/standing/package-over.js';
import { BeforeAfter } from '../../../shared/ui/console/before-after.js';
import { charsText } from './quote-text.js';
import type { Desk } from './use-desk.js';

type BalanceLineProps = { desk: Pick<Desk, 'payer' | 'sum' | 'shown'>; counted: boolean };

/** What the balance becomes: as it is, before → after, or what it lacks and who can help. */
export function BalanceLine({ desk: { payer, sum }, counted }: BalanceLineProps) {
  const t = useTexts('translation-test');
  const { balance, own, helped } = payer;
  const over = usePackageIsOver();
  const help = own.main ? (
    <Link className="link" to="/UserCenterRecharge">
      {t('toRecharge')}
    </Link>
  ) : (
    <span>{t('askMain')}</span>
  );
  if (over) return <PackageOver className="tt-lack" />;
  if (balance === null) return null;
  const cost = counted && sum.kind === 'chars' ? sum.chars : 0;
  if (cost > balance)
    return (
      <span className="num tt-lack">
        {t(helped ? 'lackHelped' : 'lack', { n: grouped(cost - balance) })} {!helped && help}
      </span>
    );
  if (cost === 0) return <span className="num tt-balance">{t('balance', { n: grouped(balance) })}</span>;
  return (
    <span className="num tt-balance">
      {t('balanceLabel')}
      <BeforeAfter before={grouped(balance)} after={charsText(balance - cost, t)} />
    </span>
  );
}
