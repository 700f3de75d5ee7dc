import { SALES_NUM_MAX } from '@yiqiao/domain/limits';
import type { KeyboardEvent } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { afterPress } from '../../../shared/ui/after-press.js';
import { Icon } from '../../../shared/ui/icon.js';
import { nearestQuantity, quantityOf } from './quantity.js';

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };

/** `text`: the content of the field; `last`: the last valid quantity. */
type QuantityFieldProps = { text: string; last: number; describedBy: string; onText: (text: string) => void };

/** 1–999 in steps of 1, typed or pressed; an invalid quantity is corrected on blur. */
export function QuantityField({ text, last, describedBy, onText }: QuantityFieldProps) {
  const t = useMessages('recharge');
  const quantity = quantityOf(text);
  const from = quantity ?? nearestQuantity(text, last);
  const go = (step: number): void => onText(String(Math.min(SALES_NUM_MAX, Math.max(1, from + step))));
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    go(step);
  };
  return (
    <span className={quantity === null ? 'rc-steps rc-steps-invalid' : 'rc-steps'}>
      <button type="button" aria-label={t('less')} disabled={from <= 1} onClick={() => go(-1)}>
        <Icon name="minus" />
      </button>
      <input
        className="numeric"
        role="spinbutton"
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        aria-label={t('quantity')}
        aria-valuemin={1}
        aria-valuemax={SALES_NUM_MAX}
        aria-valuenow={from}
        aria-invalid={quantity === null}
        aria-describedby={describedBy}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => afterPress(() => onText(String(from)))}
        onKeyDown={onKeyDown}
      />
      <button type="button" aria-label={t('more')} disabled={from >= SALES_NUM_MAX} onClick={() => go(1)}>
        <Icon name="add" />
      </button>
    </span>
  );
}
