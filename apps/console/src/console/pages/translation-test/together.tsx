import { Link } from 'react-router';
import { useTexts } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import type { Done } from './visits.js';

type TogetherProps = { answers: readonly Done[]; balance: number | null };

/** What the channels side by side have cost together, and where that is written down. */
export function Together({ answers, balance }: TogetherProps) {
  const t = useTexts('translation-test');
  const charged = answers.reduce((sum, { answer }) => sum + answer.charged, 0);
  return (
    <p className="tt-together num" role="status">
      <span>{charged > 0 ? t('chargedTogether', { n: grouped(charged) }) : t('chargedNothing')}</span>
      {balance !== null && <span>{t('balance', { n: grouped(balance) })}</span>}
      <Link className="link" to={charged > 0 ? '/UserCenterAccountLog' : '/UserCenterChangeTranslateLog'}>
        {t(charged > 0 ? 'seeLedger' : 'seeLog')}
      </Link>
    </p>
  );
}
