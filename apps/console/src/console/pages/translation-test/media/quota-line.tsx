import { Link } from 'react-router';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { PackageOver, usePackageIsOver } from '../../../../shared/standing/package-over.js';
import { BeforeAfter } from '../../../../shared/ui/console/before-after.js';
import { grouped } from '../../../../shared/ledger/amount-text.js';
import { unitsText } from './units-text.js';
import type { MediaDesk } from './use-media-desk.js';

type QuotaLineProps = {
  desk: Pick<MediaDesk, 'kind' | 'payer'>;
  /** What sending will cost; 0 while there is nothing to send. */
  cost: number;
};

/** What the quota becomes: as it is, before → after, or what it lacks and who can help. What a sub-account lacks of it never comes by itself
 * (decisions §4). */
export function QuotaLine({ desk: { kind, payer }, cost }: QuotaLineProps) {
  const t = useTexts('media');
  const { left, own } = payer;
  const over = usePackageIsOver();
  const help = own.main ? (
    <Link className="link" to="/UserCenterRecharge">
      {t('toRecharge')}
    </Link>
  ) : (
    <span>{t('askMain')}</span>
  );
  if (over) return <PackageOver className="tt-lack" />;
  if (cost > left)
    return (
      <span className="num tt-lack">
        {t('lack', { units: unitsText(kind, cost - left, t) })} {help}
      </span>
    );
  return (
    <span className="num tt-balance">
      {t('left')}
      {cost === 0 ? (
        ` ${unitsText(kind, left, t)}`
      ) : (
        <BeforeAfter before={grouped(left)} after={unitsText(kind, left - cost, t)} />
      )}
    </span>
  );
}
