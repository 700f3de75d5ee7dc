import { previewOrder } from '@yiqiao/contracts/orders';
import { ORDER_AMOUNT_MAX, SALES_NUM_MAX } from '@yiqiao/domain/limits';
import type { PayChannel } from '@yiqiao/domain/orders';
import { type ReactNode, useId, useState } from 'react';
import { useMember, type User } from '../../../shared/auth/user.js';
import { nameIn, useChannels } from '../../shared/channels/channels.js';
import { ApiError } from '../../../shared/api/api-error.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { yuan } from '../../../shared/amounts.js';
import { channelNameOf } from '../../../shared/channel-name.js';
import { creditedText, planSize, referenceText } from '../../../shared/payment/plan-text.js';
import { PurchasePreview } from '../../../shared/payment/purchase-preview.js';
import { Icon } from '../../../shared/ui/icon.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { useLive } from '../../shared/use-live.js';
import { type Account, type Arrival, arrivalOf, conversionOf } from './arrival.js';
import { PayMethods } from './pay-methods.js';
import { type Plan, planName } from './plan.js';
import { QuantityField } from './quantity-field.js';
import { quantityOf } from './quantity.js';
import type { Sale } from './use-sale.js';

/** What a purchase changes besides adding to the balance, shown before payment (decisions §4). */
function ConversionNote({ plan }: { plan: Plan }) {
  const t = useMessages('recharge');
  const user = useMember();
  const { mode, channelId } = conversionOf(plan, accountOf(user));
  const losesSubAccounts = user.createChildUser && !plan.createChildUser;
  if (mode === null && channelId === null && !losesSubAccounts) return null;
  return (
    <div className="note warning rc-note" role="status">
      <Icon name="alert" />
      <div>
        {mode !== null && <p>{t(mode)}</p>}
        {channelId !== null && <p>{t('toChannel', { name: channelNameOf(channelId) ?? String(channelId) })}</p>}
        {losesSubAccounts && <p>{t('noSubAccounts')}</p>}
      </div>
    </div>
  );
}

/** Every balance before and after the payment (decisions §4): a purchase of another mode or channel converts what is left. */
function Afterwards({ plan, quantity }: { plan: Plan; quantity: number }) {
  const t = useMessages('payment');
  const input = { memberGroupId: String(plan.id), salesNum: String(quantity) };
  const { data, isPending, isFetching, error, refetch } = useEndpoint(previewOrder, input, { gcTime: 0 });
  const isChecked = error instanceof ApiError && error.code === 'LEDGER_READ_ONLY';
  useLive('account', () => void refetch());
  return (
    <div className="rc-after" aria-busy={isFetching}>
      <h3>{t('ifPaidNow')}</h3>
      {data && <PurchasePreview preview={data} />}
      {isPending && <i className="skeleton" role="status" aria-label={t('ifPaidNow')} />}
      {!data && isChecked && <p role="alert">{error.message}</p>}
      {!data && !isPending && !isChecked && (
        <button type="button" className="link" onClick={() => void refetch()}>
          {t('notPreviewed')}
        </button>
      )}
    </div>
  );
}

function Arrived({ arrival, channelName }: { arrival: Arrival; channelName: string }) {
  const t = useMessages('recharge');
  const { billingMode, num } = arrival;
  return (
    <>
      <b>{creditedText(billingMode, num)}</b>
      <small>{t('onChannel', { name: channelName })}</small>
    </>
  );
}

type ArrivalLinesProps = { plan: Plan; quantity: number; account: Account };

/** The package and its price, the exact credit on the member's channel, and the expiry. */
function ArrivalLines({ plan, quantity, account }: ArrivalLinesProps) {
  const t = useMessages('recharge');
  const channels = useChannels();
  const prices = new Map(channels.data?.map(({ id, price }) => [id, price]));
  const arrival = arrivalOf({ plan, quantity, account }, prices);
  return (
    <>
      <div className="rc-line">
        <dt>{t('holds')}</dt>
        <dd className="numeric">
          {planSize(plan.translationBillingMode, plan.num * quantity)}
          <small>{referenceText(plan.referenceChannelId)}</small>
        </dd>
      </div>
      <div className="rc-line">
        <dt>{t('arrives')}</dt>
        <dd className="numeric" aria-live="polite">
          {arrival && <Arrived arrival={arrival} channelName={nameIn(channels.data, arrival.channelId)} />}
          {!arrival && channels.isPending && (
            <i className="skeleton rc-sk-line" role="status" aria-label={t('counting')} />
          )}
          {!arrival && !channels.isPending && (
            <button type="button" className="link" onClick={() => void channels.refetch()}>
              {t('notCounted')}
            </button>
          )}
        </dd>
      </div>
    </>
  );
}

export type OrderRequest = { plan: Plan; quantity: number; method: PayChannel };

type OrderCardProps = {
  plan: Plan | null;
  methods: Sale['methods'];
  busy: boolean;
  /** The outcome of the last attempt, shown above the button. */
  outcome: ReactNode;
  /** The order has been edited: the outcome of the last attempt no longer applies. */
  onEdit: () => void;
  onPay: (request: OrderRequest) => void;
};

const accountOf = (user: User): Account => ({
  billingMode: user.memberGroup.translationBillingMode,
  tranChannelId: user.tranChannelId,
});

type Form = { plan: Plan | null; quantity: number | null; method: PayChannel | null; methods: Sale['methods'] };

/** Why the order cannot be paid yet, or null. */
function useReason({ plan, quantity, method, methods }: Form): string | null {
  const t = useMessages('recharge');
  if (plan === null) return t('needPlan');
  if (quantity === null) return t('needQuantity', { most: SALES_NUM_MAX });
  if (plan.salePrice * quantity > ORDER_AMOUNT_MAX) return t('tooMuch');
  if (methods.isError || methods.data?.length === 0) return t('needMethods');
  return method === null ? t('needMethod') : null;
}

/** The order to be placed, and the page's only primary button (DESIGN §3). */
export function OrderCard({ plan, methods, busy, outcome, onEdit, onPay }: OrderCardProps) {
  const t = useMessages('recharge');
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
      {plan && plan.salePrice * (quantity ?? last) <= ORDER_AMOUNT_MAX && (
        <Afterwards plan={plan} quantity={quantity ?? last} />
      )}
      <PayMethods methods={methods} chosen={method} onChoose={choose} />
      <p className="rc-other">
        {t('otherMethods')}{' '}
        <a className="link" href="/contactUs">
          {t('contact')}
        </a>
      </p>
      <div className="rc-pay">
        <p className="rc-total">
          <span className="muted">{t('due')}</span>
          <b className="numeric">
            <small>¥</small> {amount === null ? '–' : yuan(amount)}
          </b>
        </p>
        <div role="alert">{outcome}</div>
        <button
          type="submit"
          className="button button-primary button-large button-block"
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
      </div>
    </form>
  );
}
