import { useList } from '@refinedev/core';
import { listPayChannels, payOrder, type listOrders } from '@yiqiao/contracts/orders';
import { listSale } from '@yiqiao/contracts/plans';
import type { Request, Response } from '@yiqiao/contracts/endpoint';
import { useRef, useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { ApiError, messageOf } from '../../../shared/api/api-error.js';
import { freshKey } from '../../../shared/api/fresh-key.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePayment } from '../../shared/payment/use-payment.js';
import type { OrderSummary, PaymentOffer } from '../../shared/payment/payment.js';
import { language } from '../../../shared/i18n/language.js';
import type { OrderRequest } from './order-card.js';
import { planName } from './plan.js';
import { usdtAddress } from './usdt.js';

type Outcome =
  { kind: 'refused'; why: string; seeOrders: boolean } | { kind: 'usdt'; address: string } | { kind: 'usdtMissing' };

/** After these refusals an unpaid order exists that the member should look at. */
const LEAVES_ORDER: readonly string[] = ['GATEWAY_UNKNOWN', 'TOO_MANY_OPEN_ORDERS', 'BAD_ANSWER'];
/** After these refusals the packages and payment methods on screen are out of date. */
const STALE: readonly string[] = ['PLAN_NOT_ON_SALE', 'NOT_FOUND', 'PAY_CHANNEL_UNAVAILABLE'];

function OutcomeNote({ outcome }: { outcome: Outcome }) {
  const t = useMessages('recharge');
  if (outcome.kind === 'usdt')
    return (
      <p className="note rc-outcome">
        <span>
          {t('usdtOpened')}{' '}
          <a className="link" href={outcome.address} target="_blank" rel="noopener noreferrer">
            {t('usdtAgain')}
          </a>
        </span>
      </p>
    );
  return (
    <p className="note warning rc-outcome">
      <span>
        {outcome.kind === 'usdtMissing' ? t('usdtMissing') : outcome.why}{' '}
        {outcome.kind === 'refused' && outcome.seeOrders && (
          <Link className="link" to="/UserCenterOrder">
            {t('seeOrders')}
          </Link>
        )}
      </span>
    </p>
  );
}

/** Whether an order may exist although no answer says so. The gateway's clear refusal is an outcome. */
const isUnknown = (error: unknown): boolean =>
  error instanceof ApiError && error.code !== 'GATEWAY_REFUSED' && (error.status === 0 || error.status >= 500);

/**
 * Places an order, each attempt under an Idempotency-Key of its own. Where the outcome is unknown, the same request is repeated under the
 * same key: it continues the order that may exist and never makes a second one (decisions §1). `usePayment` shows a refusal.
 */
function usePlaceOrder(): (request: Request<typeof payOrder>) => Promise<PaymentOffer> {
  const unanswered = useRef<{ body: string; key: string } | null>(null);
  const { mutateAsync } = useEndpointMutation(payOrder, { onError: () => undefined });
  return async (request) => {
    const body = JSON.stringify(request);
    const attempt = unanswered.current?.body === body ? unanswered.current : { body, key: freshKey() };
    unanswered.current = null;
    try {
      return await mutateAsync(request, attempt.key);
    } catch (error) {
      if (isUnknown(error)) unanswered.current = attempt;
      throw error;
    }
  };
}

/**
 * Describes what is being paid by the order itself: the price is the server's, and may have changed since the page was opened. An order
 * that cannot be read now is described as the page showed it: it can be paid all the same.
 */
function useOrderDescription(): (offer: PaymentOffer, shown: OrderSummary) => Promise<OrderSummary> {
  const { query } = useList<Response<typeof listOrders>['rows'][number]>({
    resource: 'orders',
    liveMode: 'off',
    errorNotification: false,
    queryOptions: { enabled: false },
  });
  return async ({ orderId }, shown) => {
    const { data } = await query.refetch();
    const order = data?.data.find(({ id }) => id === orderId);
    if (!order || order.payChannel === 'USDT') return shown;
    const { payChannel, translationBillingMode: billingMode, num, salesNum, amount, referenceChannelId } = order;
    const name = language === 'zh' ? order.memberGroupName : order.memberGroupEnName;
    return { payChannel, name, billingMode, num, salesNum, amount, referenceChannelId };
  };
}

/** Pays: an order and its dialog, or for USDT the external page, which makes no order here. A refusal leaves the form as it is. */
export function usePay(usdt: URL | null): {
  busy: boolean;
  pay: (request: OrderRequest) => void;
  outcome: ReactNode;
  forget: () => void;
  dialog: ReactNode;
} {
  const user = useMember();
  const invalidate = useInvalidateEndpoint();
  const placeOrder = usePlaceOrder();
  const describe = useOrderDescription();
  const { busy, begin, dialog } = usePayment();
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const payOutside = ({ plan, quantity }: OrderRequest): void => {
    if (usdt === null) return setOutcome({ kind: 'usdtMissing' });
    const address = usdtAddress(usdt, user, { plan, quantity });
    window.open(address, '_blank', 'noopener,noreferrer');
    setOutcome({ kind: 'usdt', address });
  };

  const refused = (error: unknown): void => {
    const why = messageOf(error);
    const code = error instanceof ApiError ? error.code : '';
    if (why !== null) setOutcome({ kind: 'refused', why, seeOrders: LEAVES_ORDER.includes(code) });
    if (STALE.includes(code)) for (const endpoint of [listSale, listPayChannels]) void invalidate(endpoint);
  };

  const pay = (request: OrderRequest): void => {
    const { plan, quantity, method } = request;
    if (method === 'USDT') return payOutside(request);
    const bought = {
      payChannel: method,
      name: planName(plan),
      billingMode: plan.translationBillingMode,
      num: plan.num * quantity,
      salesNum: quantity,
      referenceChannelId: plan.referenceChannelId,
      amount: plan.salePrice * quantity,
    };
    begin({
      bought,
      ask: async () => {
        setOutcome(null);
        const offer = await placeOrder({ memberGroupId: plan.id, salesNum: quantity, payChannel: method });
        return { ...offer, bought: await describe(offer, bought) };
      },
      refused,
    });
  };
  const forget = (): void => setOutcome(null);
  return { busy, pay, outcome: outcome && <OutcomeNote outcome={outcome} />, forget, dialog };
}
