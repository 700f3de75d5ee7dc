import { CHANGE_MAX, SHARE_QUICK_PICKS, SHARE_STEPS } from '@yiqiao/domain/limits';
import { InputNumber, Segmented } from 'antd';
import { useId } from 'react';
import { billingModeOf, useMember } from '../../../../shared/auth/user.js';
import { language } from '../../../../shared/i18n/language.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { grouped, signed } from '../../../../shared/amounts.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { outcomeOf, type Quantity, QUANTITY_TEXTS, type Share, stepped } from './shares.js';

/** The arch between the two sides, below the amount. */
function Arch() {
  return (
    <svg viewBox="0 0 132 58" fill="none" stroke="currentColor" strokeWidth="1.25" aria-hidden="true">
      <path d="M2 57C14 14 118 14 130 57" />
      <path d="M0 22Q66 8 132 22" />
      <path
        d="M6 20.8v-6M16 19v-6M26 17.6v-6M36 16.4v-6M46 15.6v-6M56 15.2v-6M66 15v-6M76 15.2v-6M86 15.6v-6M96 16.4v-6M106 17.6v-6M116 19v-6M126 20.8v-6"
        opacity=".5"
      />
    </svg>
  );
}

function TransferSide({
  label,
  before,
  after,
  className,
}: {
  label: string;
  before: number;
  after: number;
  className: string;
}) {
  const t = useMessages('sub-accounts');
  return (
    <div className={className}>
      <small className="dynamic-text">{label}</small>
      <span className={`ds-before numeric ${before === after ? 'ds-unchanged' : ''}`}>{grouped(before)}</span>
      {after < 0 ? <b className="ds-short">{t('notEnough')}</b> : <b>{grouped(after)}</b>}
    </div>
  );
}

type TransferSidesProps = {
  account: string;
  main: number;
  child: number;
  outcome: ReturnType<typeof outcomeOf>;
};

/** Main account on the left, sub-account on the right, before and after on both (DESIGN §3). */
function TransferSides({ account, main, child, outcome }: TransferSidesProps) {
  const t = useMessages('sub-accounts');
  const { username } = useMember();
  const { change, mainAfter, childAfter } = outcome;
  return (
    <>
      <div className="ds-sides" aria-hidden="true">
        <TransferSide className="ds-from" label={t('mainSide', { name: username })} before={main} after={mainAfter} />
        <div className={`ds-arrow ${change === 0 ? 'ds-arrow-idle' : ''}`}>
          <span>{signed(change)}</span>
          <Arch />
        </div>
        <TransferSide className="ds-to" label={t('childSide', { name: account })} before={child} after={childAfter} />
      </div>
      <p className="visually-hidden" role="status">
        {outcome.over
          ? t('notEnough')
          : t('live', {
              mainBefore: grouped(main),
              mainAfter: grouped(mainAfter),
              childBefore: grouped(child),
              childAfter: grouped(childAfter),
            })}
      </p>
    </>
  );
}

/** What can be entered, or why nothing can. */
function Range({ quantity, available, taking }: { quantity: Quantity; available: number; taking: boolean }) {
  const t = useMessages('sub-accounts');
  const isMonthly = billingModeOf(useMember()) === 'time';
  const name = t(QUANTITY_TEXTS[quantity].name);
  if (available > 0) return t('range', { most: grouped(available), step: grouped(SHARE_STEPS[quantity]) });
  if (taking) return t('nothingToTake', { quantity: name });
  return quantity === 'charNum' && isMonthly ? t('nothingMonthly') : t('nothingToGive', { quantity: name });
}

type AmountFieldProps = {
  quantity: Quantity;
  amount: number;
  available: number;
  over: boolean;
  onAmount: (amount: number) => void;
  /** Fills in everything that can be taken back; absent when giving. */
  onAll: (() => void) | undefined;
  onEnter: () => void;
};

const digits = (text: string | undefined): string => (text ?? '').replace(/\D/g, '');

/** A whole number with its unit and steps down and up. More than the available amount can be typed; the figures show the shortfall. */
function AmountField({ quantity, amount, available, over, onAmount, onAll, onEnter }: AmountFieldProps) {
  const t = useMessages('sub-accounts');
  const id = useId();
  const step = SHARE_STEPS[quantity];
  const { name, unit } = QUANTITY_TEXTS[quantity];
  const [down, up] = [stepped(amount, -step, available), stepped(amount, step, available)];
  return (
    <>
      <span className={`field-input ds-amount ${over ? 'invalid' : ''}`}>
        <InputNumber<number>
          className="ds-number"
          variant="borderless"
          controls={false}
          min={0}
          max={CHANGE_MAX}
          step={step}
          precision={0}
          value={amount}
          inputMode="numeric"
          data-first
          aria-label={t('amountOf', { quantity: t(name) })}
          aria-describedby={id}
          aria-invalid={over}
          formatter={(value) => (value === undefined ? '' : grouped(Number(value)))}
          parser={(text) => Number(digits(text))}
          onChange={(value) => onAmount(value ?? 0)}
          onFocus={({ target }) => target.select()}
          onPressEnter={onEnter}
        />
        <span className="faint">{t(unit)}</span>
        {onAll && (
          <button type="button" className="link ds-all" disabled={available === 0} onClick={onAll}>
            {t('takeAll')}
          </button>
        )}
        <button
          type="button"
          className="close-button"
          aria-label={t('less', { n: grouped(step) })}
          disabled={down === amount || amount === 0}
          onClick={() => onAmount(down)}
        >
          <Icon name="minus" />
        </button>
        <button
          type="button"
          className="close-button"
          aria-label={t('more', { n: grouped(step) })}
          disabled={up <= amount}
          onClick={() => onAmount(up)}
        >
          <Icon name="add" />
        </button>
      </span>
      <p className="visually-hidden" id={id}>
        <Range quantity={quantity} available={available} taking={onAll !== undefined} />
      </p>
    </>
  );
}

/** Quick picks are labelled in 万 (specification §9), in English in thousands. */
const PICK_UNIT = language === 'zh' ? 10_000 : 1_000;

function QuickPicks({ share, available, onPick }: { share: Share; available: number; onPick: (n: number) => void }) {
  const t = useMessages('sub-accounts');
  return (
    <div className="ds-picks numeric" role="group" aria-label={t('quickPicks')}>
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
  /** The current balance of both sides. */
  main: number;
  child: number;
  share: Share;
  onShare: (share: Share) => void;
  onEnter: () => void;
};

/** One quantity: both sides, the direction, the amount. */
export function SharePanel({ quantity, account, main, child, share, onShare, onEnter }: SharePanelProps) {
  const t = useMessages('sub-accounts');
  const outcome = outcomeOf(share, { main, child });
  const { available, over } = outcome;
  const setAmount = (amount: number): void => onShare({ direction: share.direction, amount });
  const takeAll = (): void => onShare({ direction: 'take', amount: available, all: true });
  return (
    <>
      <TransferSides account={account} main={main} child={child} outcome={outcome} />
      <div className="ds-how">
        <Segmented<Share['direction']>
          className="ds-direction"
          aria-label={t('direction')}
          value={share.direction}
          options={[
            { value: 'give', label: t('give') },
            { value: 'take', label: t('take') },
          ]}
          onChange={(direction) => onShare({ direction, amount: share.amount })}
        />
        <span className="faint" aria-hidden="true">
          <Range quantity={quantity} available={available} taking={share.direction === 'take'} />
        </span>
      </div>
      <AmountField
        quantity={quantity}
        amount={share.amount}
        available={available}
        over={over}
        onAmount={setAmount}
        onAll={share.direction === 'take' ? takeAll : undefined}
        onEnter={onEnter}
      />
      {quantity === 'charNum' && <QuickPicks share={share} available={available} onPick={setAmount} />}
    </>
  );
}
