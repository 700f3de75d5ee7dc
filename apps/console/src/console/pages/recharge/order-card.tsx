import { ORDER_AMOUNT_MAX, SALES_NUM_MAX } from '@yiqiao/domain/limits';
import type { PayChannel } from '@yiqiao/domain/orders';
import { useId, useState, type ReactNode } from 'react';
import { useMember, type User } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { yuan } from '../../../shared/ledger/amount-text.js';
import { wireMs, wireNow } from '../../../shared/wire-time.js';
import type { Account } from './arrival.js';
import { ArrivalLines } from './arrival-lines.js';
import { ConversionNote } from './conversion-note.js';
import { PayMethods } from './pay-methods.js';
import { planName, type Plan } from './plan.js';
import { quantityOf } from './quantity.js';
import { QuantityField } from './quantity-field.js';
import type { Sale } from './use-sale.js';

export type Wish = { plan: Plan; quantity: number; method: PayChannel };

type OrderCardProps = {
  plan: Plan | null;
  methods: Sale['methods'];
  busy: boolean;
  /** What the last attempt came to; shown above the button. */
  outcome: ReactNode;
  /** The wish is another one now: what the last attempt came to is no longer about it. */
  onEdit: () => void;
  onPay: (wish: Wish) => void;
};

const accountOf = (user: User): Account => ({
  billingMode: user.memberGroup.translationBillingMode,
  tranChannelId: user.tranChannelId,
  expireAt: user.memberAccount.expireDateTime === null ? null : wireMs(user.memberAccount.expireDateTime),
  now: wireMs(wireNow()),
});

type Form = { plan: Plan | null; quantity: number | null; method: PayChannel | null; methods: Sale['methods'] };

/** Why it cannot be paid yet; null when it can. */
function useReason({ plan, quantity, method, methods }: Form): string | null {
  const t = useTexts('recharge');
  if (plan === null) return t('needPlan');
  if (quantity === null) return t('needQuantity', { most: SALES_NUM_MAX });
  if (plan.salePrice * quantity > ORDER_AMOUNT_MAX) return t('tooMuch');
  if (methods.isError || methods.data?.length === 0) return t('needMethods');
  return method === null ? t('needMethod') : null;
}

/** The order as it would be placed, and the one button of the page (DESIGN §3). */
export function OrderCard({ plan, methods, busy, outcome, onEdit, onPay }: OrderCardProps) {
  const t = useTexts('recharge');
  const id = useId();
  const user = useMember();
  const [{ text, last }, setQuantity] = useState({ text: '1', last: 1 });
  const [picked, setPicked] = useState<PayChannel | null>(null);
  const method = picked !== null && (methods.data?.includes(picked) ?? false) ? picked : null;
  const quantity = quantityOf(text);
  const reason = useReason({ plan, quantity, method, methods });
  const edit = (next: string): void => {
    if (next !== text) onEdit();
    setQuantity({ text: next, last: quantityOf(next) ?? last });
  };
  const choose = (next: PayChannel): void => {
    onEdit();
    setPicked(next);
  };
  const amount = plan && plan.salePrice * (quantity ?? last);

  return (
    <form
      className="card rc-order"
      aria-label={t('order')}
      onSubmit={(event) => {
        event.preventDefault();
        if (plan && quantity !== null && method !== null && reason === null) onPay({ plan, quantity, method });
      }}
    >
      <h2>{t('order')}</h2>
      <dl>
        <div className="rc-line">
          <dt>{t('plan')}</dt>
          <dd>
            <b>
              {plan
                ? t('planLine', {
                    name: planName(plan),
                    mode: t(plan.translationBillingMode === 'time' ? 'byTime' : 'byChar'),
                  })
                : '–'}
            </b>
          </dd>
        </div>
        <div className="rc-line">
          <dt>{t('quantity')}</dt>
          <dd>
            <QuantityField text={text} last={last} describedBy={`${id}-reason`} onText={edit} />
          </dd>
        </div>
        {plan && <ArrivalLines plan={plan} quantity={quantity ?? last} account={accountOf(user)} />}
      </dl>
      {plan && <ConversionNote plan={plan} />}
      <PayMethods methods={methods} chosen={method} onChoose={choose} />
      <p className="rc-total">
        <span className="muted">{t('due')}</span>
        <b className="num">
          <small>¥</small> {amount === null ? '–' : yuan(amount)}
        </b>
      </p>
      <div role="alert">{outcome}</div>
      <button
        type="submit"
        className="btn btn-p btn-lg btn-block"
        disabled={reason !== null}
        aria-busy={busy}
        aria-disabled={busy}
        aria-describedby={`${id}-reason`}
      >
        {busy && <span className="spin" aria-hidden="true" />}
        {t(busy ? 'paying' : 'pay')}
      </button>
      <p className="rc-reason" id={`${id}-reason`} aria-live="polite">
        {reason}
      </p>
      <p className="rc-other">
        {t('otherMethods')}{' '}
        <a className="link" href="/contactUs">
          {t('contact')}
        </a>
      </p>
    </form>
  );
}
