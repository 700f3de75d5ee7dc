import type { Response } from '@yiqiao/contracts/endpoint';
import type { getPaymentOrder } from '@yiqiao/contracts/operator/payments';
import { ORDER_EVENTS, type OrderEvent, PAY_CHANNELS } from '@yiqiao/domain/orders';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { grouped, signed, yuan } from '../../../shared/amounts.js';
import { language } from '../../../shared/i18n/language.js';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';
import { Card } from '../../../shared/ui/card.js';
import { requestNumber } from '../../shared/action-names.js';
import { listed } from '../../shared/listed.js';
import { nextToRefund } from './owed.js';

type Order = Response<typeof getPaymentOrder>;
type Payment = Order['payments'][number];

const BAD: readonly OrderEvent[] = [
  'doublePaid',
  'paidAfterLogOff',
  'wrongAmount',
  'tooLarge',
  'refundRefused',
  'unanswered',
  'failed',
];
const VERDICTS: Partial<Record<OrderEvent, Payment['verdict']>> = {
  notified: 'credit',
  queried: 'credit',
  doublePaid: 'double',
  paidAfterLogOff: 'afterLogOff',
  wrongAmount: 'wrongAmount',
  tooLarge: 'tooLarge',
};
const REFUNDS: Partial<Record<OrderEvent, Order['refunds'][number]['state']>> = {
  refunded: 'done',
  refundRefused: 'refused',
};

/** What an event was about; `nth`: how many of its kind came before it. */
function detailOf(order: Order, { event, nth }: { event: OrderEvent; nth: number }, t: Translate<'payments'>): string {
  const verdict = VERDICTS[event];
  if (event === 'created') return order.memberName ?? `${t('loggedOff')} #${order.userId}`;
  if (event === 'shown') return PAY_CHANNELS[order.payChannel][language];
  if (event === 'credited') {
    const entry = order.entries.find(({ type }) => type === 'recharge');
    if (!entry) return '';
    return t('eventEntry', {
      n: grouped(entry.seq),
      changes: listed(
        entry.charNum !== 0 && t('changeChars', { n: signed(entry.charNum) }),
        entry.minutes !== 0 && t('changeMinutes', { n: signed(entry.minutes) }),
        entry.voiceNum !== 0 && t('changeVoice', { n: signed(entry.voiceNum) }),
        entry.imageNum !== 0 && t('changeImages', { n: signed(entry.imageNum) }),
      ),
    });
  }
  if (verdict) {
    const payment = order.payments.filter((each) => each.verdict === verdict)[nth];
    if (!payment) return '';
    const words = { no: payment.tradeNo, amount: yuan(payment.amount) };
    return t(verdict === 'credit' ? 'eventPayment' : 'eventNotCredited', words);
  }
  const state = REFUNDS[event];
  const refund = state && order.refunds.filter((each) => each.state === state)[nth];
  return refund ? listed(`¥${yuan(refund.amount)}`, refund.answer) : '';
}

/** What happened to an order, and what has to happen next. */
export function OrderEvents({ order, timeZone }: { order: Order; timeZone: string | undefined }) {
  const t = useMessages('payments');
  const { events } = order;
  const next = nextToRefund(order);
  return (
    <Card title={t('course')} note={timeZone}>
      <ol className="order-events">
        {events.map(({ event, at }, i) => {
          const nth = events.slice(0, i).filter((each) => each.event === event).length;
          return (
            <Step key={i} look={BAD.includes(event) ? 'bad' : ''} at={at} detail={detailOf(order, { event, nth }, t)}>
              {ORDER_EVENTS[event][language]}
            </Step>
          );
        })}
        {next && (
          <Step
            look="next"
            at={null}
            detail={
              next.requestId === null ? (
                t('refundCourse')
              ) : (
                <Link className="link" to={`/approvals/${next.requestId}`}>
                  {t('refundWaits', { no: requestNumber(next.requestId) })}
                </Link>
              )
            }
          >
            {t(next.verdict === 'double' ? 'giveSecondBack' : 'refund')}
          </Step>
        )}
      </ol>
    </Card>
  );
}

type StepProps = { look: string; at: string | null; detail: ReactNode; children: ReactNode };

const Step = ({ look, at, detail, children }: StepProps) => (
  <li className={look}>
    <time className="numeric">{at?.slice(5)}</time>
    <i aria-hidden="true" />
    <div>
      {children}
      {detail !== '' && <small className="numeric">{detail}</small>}
    </div>
  </li>
);
