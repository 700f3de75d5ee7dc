import { Link } from 'react-router';
import { useTexts } from '../../../shared/i18n/texts.js';
import { Empty } from '../../../shared/ui/empty.js';

/** The plan has no sub-accounts: what to do about it (specification §2). Those that exist keep working (decisions §3). */
export function Upsell({ hasSome, onClose }: { hasSome: boolean; onClose: () => void }) {
  const t = useTexts('sub-accounts');
  return (
    <Empty
      title={t('upsellTitle')}
      action={
        <>
          <button type="button" className="btn btn-d" onClick={onClose}>
            {t('upsellClose')}
          </button>
          <Link className="btn btn-p" to="/UserCenterRecharge">
            {t('upsellGo')}
          </Link>
        </>
      }
    >
      {t('upsellWhy')}
      {hasSome && (
        <>
          <br />
          {t('upsellKept')}
        </>
      )}
    </Empty>
  );
}
