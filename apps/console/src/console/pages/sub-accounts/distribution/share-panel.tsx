import { SHARE_QUICK_PICKS, SHARE_STEPS } from '@yiqiao/domain/limits';
import { Segmented } from 'antd';
import { language } from '../../../../shared/i18n/language.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { grouped } from '../../../../shared/ledger/amount-text.js';
import { AmountField } from './amount-field.js';
import { Banks } from './banks.js';
import { outcomeOf, type Quantity, type Share } from './shares.js';

/** Quick picks read in 万 (specification §9), in English in thousands. */
const PICK_UNIT = language === 'zh' ? 10_000 : 1_000;

function QuickPicks({ share, available, onPick }: { share: Share; available: number; onPick: (n: number) => void }) {
  const t = useTexts('sub-accounts');
  return (
    <div className="ds-picks num" role="group" aria-label={t('quickPicks')}>
      {SHARE_QUICK_PICKS.map((pick) => (
        <button
          key={pick}
          type="button"
          aria-pressed={share.amount === pick}
          disabled={pick > available}
          onClick={() => onPick(pick)}
        >
          {t('quickPick', { n: pick / PICK_UNIT })}
        </button>
      ))}
    </div>
  );
}

type SharePanelProps = {
  quantity: Quantity;
  account: string;
  /** What both sides may use of it now. */
  main: number;
  child: number;
  share: Share;
  onShare: (share: Share) => void;
  onEnter: () => void;
};

/** One quantity: both banks, the direction, the amount. */
export function SharePanel({ quantity, account, main, child, share, onShare, onEnter }: SharePanelProps) {
  const t = useTexts('sub-accounts');
  const outcome = outcomeOf(share, { main, child });
  const { available, over } = outcome;
  const setAmount = (amount: number): void => onShare({ ...share, amount });
  return (
    <>
      <Banks account={account} main={main} child={child} outcome={outcome} />
      <div className="ds-how">
        <Segmented<Share['direction']>
          aria-label={t('direction')}
          value={share.direction}
          options={[
            { value: 'give', label: t('give') },
            { value: 'take', label: t('take') },
          ]}
          onChange={(direction) => onShare({ ...share, direction })}
        />
        <span className="faint" aria-hidden="true">
          {t('range', { most: grouped(available), step: grouped(SHARE_STEPS[quantity]) })}
        </span>
      </div>
      <AmountField
        quantity={quantity}
        amount={share.amount}
        available={available}
        over={over}
        onAmount={setAmount}
        onEnter={onEnter}
      />
      {quantity === 'charNum' && <QuickPicks share={share} available={available} onPick={setAmount} />}
    </>
  );
}
