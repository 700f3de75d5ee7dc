import { CHANGE_MAX } from '@yiqiao/domain/limits';
import type { SpendingCaps } from '@yiqiao/contracts/sub-accounts';
import { Form, InputNumber } from 'antd';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { hideSteps } from '../../shared/form/number-steps.js';
import { wholeNumber } from '../../shared/form/whole-number.js';
import { QUANTITIES, type Quantity, QUANTITY_TEXTS } from './distribution/shares.js';

/** Caps as the form holds them: empty or 0 is none. */
export type CapAmounts = Readonly<Record<'day' | 'month', Readonly<Record<Quantity, number | null>>>>;

const NONE = { charNum: null, voiceNum: null, imageNum: null };

const shownOf = (limit: Readonly<Record<Quantity, number>>): CapAmounts['day'] => ({
  charNum: limit.charNum || null,
  voiceNum: limit.voiceNum || null,
  imageNum: limit.imageNum || null,
});

export const capAmountsOf = (caps: SpendingCaps | null): CapAmounts =>
  caps === null ? { day: NONE, month: NONE } : { day: shownOf(caps.day), month: shownOf(caps.month) };

const PERIODS = [
  { period: 'day', used: 'usedToday', title: 'capDay' },
  { period: 'month', used: 'usedThisMonth', title: 'capMonth' },
] as const;

/** How much the sub-account may use per day and per month, and how much it has used. */
export function CapFields({ caps }: { caps: SpendingCaps | null }) {
  const t = useMessages('sub-accounts');
  return (
    <fieldset className="sa-caps">
      <legend>{t('capTitle')}</legend>
      <p className="faint">{t('capHint')}</p>
      {PERIODS.map(({ period, used, title }) => (
        <div key={period} className="sb-amounts" role="group" aria-label={t(title)}>
          {QUANTITIES.map((quantity) => (
            <Form.Item
              key={quantity}
              name={['caps', period, quantity]}
              label={t('capOf', { period: t(title), quantity: t(QUANTITY_TEXTS[quantity].name) })}
              extra={caps && t('capUsed', { n: grouped(caps[used][quantity]) })}
            >
              <InputNumber {...wholeNumber} ref={hideSteps} max={CHANGE_MAX} placeholder={t('capNone')} />
            </Form.Item>
          ))}
        </div>
      ))}
    </fieldset>
  );
}
