import { CHANGE_MAX, SHARE_STEPS } from '@yiqiao/domain/limits';
import { InputNumber } from 'antd';
import { useId } from 'react';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { grouped } from '../../../../shared/ledger/amount-text.js';
import { Icon } from '../../../../shared/ui/icon.js';
import { QUANTITY_TEXTS } from './quantity-texts.js';
import { stepped, type Quantity } from './shares.js';

type AmountFieldProps = {
  quantity: Quantity;
  amount: number;
  available: number;
  over: boolean;
  onAmount: (amount: number) => void;
  onEnter: () => void;
};

const digits = (text: string | undefined): string => (text ?? '').replace(/\D/g, '');

/** A whole number with its unit, and a step down and up beside it. More than is available may be typed: the figures say so. */
export function AmountField({ quantity, amount, available, over, onAmount, onEnter }: AmountFieldProps) {
  const t = useTexts('sub-accounts');
  const id = useId();
  const step = SHARE_STEPS[quantity];
  const { name, unit } = QUANTITY_TEXTS[quantity];
  const [down, up] = [stepped(amount, -step, available), stepped(amount, step, available)];
  return (
    <>
      <span className={`inp ds-amount ${over ? 'err' : ''}`}>
        <InputNumber<number>
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
        <button
          type="button"
          className="x"
          aria-label={t('less', { n: grouped(step) })}
          disabled={down === amount || amount === 0}
          onClick={() => onAmount(down)}
        >
          <Icon name="minus" />
        </button>
        <button
          type="button"
          className="x"
          aria-label={t('more', { n: grouped(step) })}
          disabled={up <= amount}
          onClick={() => onAmount(up)}
        >
          <Icon name="add" />
        </button>
      </span>
      <p className="vh" id={id}>
        {t('range', { most: grouped(available), step: grouped(step) })}
      </p>
    </>
  );
}
