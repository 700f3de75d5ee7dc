import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { ApiError, messageOf } from '../../../shared/api/api-error.js';
import { useMember } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { usePayment } from '../../../shared/payment/use-payment.js';
import type { Wish } from './order-card.js';
import { orderWords } from './order-words.js';
import { planName } from './plan.js';
import { usdtAddress } from './usdt.js';
import { usePlaceOrder } from './use-place-order.js';

type Outcome =
  { kind: 'refused'; why: string; seeOrders: boolean } | { kind: 'usdt'; address: string } | { kind: 'usdtMissing' };

/** After these an order waits under the orders, or stands in the way. */
const LEAVES_ORDER: readonly string[] = ['GATEWAY_UNKNOWN', 'TOO_MANY_OPEN_ORDERS', 'BAD_ANSWER'];
/** After these what is shown is no longer what is offered. */
const STALE: readonly string[] = ['PLAN_NOT_ON_SALE', 'NOT_FOUND', 'PAY_CHANNEL_UNAVAILABLE'];

function OutcomeNote({ outcome }: { outcome: Outcome }) {
  const t = useTexts('recharge');
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
    <p className="note w rc-outcome">
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

/** Pays: an order and its dialog, or for USDT the external page, which makes no order here. A refusal leaves the form as it is. */
export function usePay(usdt: URL | null): {
  busy: boolean;
  pay: (wish: Wish) => void;
  outcome: ReactNode;
  forget: () => void;
  dialog: ReactNode;
} {
  const user = useMember();
  const queries = useQueryClient();
  const placeOrder = usePlaceOrder();
  const { busy, begin, dialog } = usePayment();
  const [outcome, setOutcome] = useState<Outcome | null>(null);

  const payOutside = ({ plan, quantity }: Wish): void => {
    if (usdt === null) return setOutcome({ kind: 'usdtMissing' });
    const address = usdtAddress(usdt, user, { plan, quantity });
    window.open(address, '_blank', 'noopener,noreferrer');
    setOutcome({ kind: 'usdt', address });
  };

  const refused = (error: unknown): void => {
    const why = messageOf(error);
    const code = error instanceof ApiError ? error.code : '';
    if (why !== null) setOutcome({ kind: 'refused', why, seeOrders: LEAVES_ORDER.includes(code) });
    if (STALE.includes(code))
      for (const queryKey of [['plans'], ['payChannels']]) void queries.invalidateQueries({ queryKey });
  };

  const pay = (wish: Wish): void => {
    const { plan, quantity, method } = wish;
    if (method === 'USDT') return payOutside(wish);
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
        return { ...offer, bought: await orderWords(offer, bought) };
      },
      refused,
    });
  };
  const forget = (): void => setOutcome(null);
  return { busy, pay, outcome: outcome && <OutcomeNote outcome={outcome} />, forget, dialog };
}
