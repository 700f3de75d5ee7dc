import { PAY_SUCCESS_SECONDS } from '@yiqiao/domain/limits';
import { useEffect, useState } from 'react';
import { sessionSettled } from '../../../shared/api/session.js';
import { useSignedIn } from '../../../shared/auth/stored-user.js';
import { refreshUser } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { usePayStatus, type PayStatusUpdate } from '../../../shared/payment/use-pay-status.js';
import { StateIllustration } from '../../../shared/ui/empty.js';
import { useHydrated } from '../../shared/use-hydrated.js';
import { useNavigate, useQuery } from '../../shared/routing.js';
import { readPayInfo, type PayInfo } from './pay-info.js';
import './pay-success.css';

const ORDERS = '/UserCenterOrder';

/** Countdown of five seconds to the orders page (specification §2, §9). */
function Leaving() {
  const t = useMessages('pay-success');
  const navigate = useNavigate();
  const [seconds, setSeconds] = useState(PAY_SUCCESS_SECONDS);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (seconds > 1) setSeconds(seconds - 1);
      else void navigate(ORDERS, { replace: true });
    }, 1_000);
    return () => clearTimeout(timer);
  }, [seconds, navigate]);
  return <p className="pay-success-countdown numeric">{t('soon', { seconds })}</p>;
}

type Outcome = 'checking' | 'paid' | 'confirming' | 'closed' | 'visitor' | 'unknown';

const DRAWINGS = {
  checking: 'empty',
  paid: 'done',
  confirming: 'empty',
  closed: 'broken',
  visitor: 'empty',
  unknown: 'empty',
} as const;

/** The outcome, the order number and the next step. The page stays only while the outcome can still change. */
function Result({ outcome, info, failing }: { outcome: Outcome; info: PayInfo | null; failing: boolean }) {
  const t = useMessages('pay-success');
  const open = outcome === 'checking' || outcome === 'confirming';
  return (
    <div className="pay-success">
      <div className="empty-state">
        <StateIllustration state={DRAWINGS[outcome]} />
        <div role="status">
          <h1>{t(outcome)}</h1>
          {outcome !== 'checking' && <p>{t(failing ? 'unreachable' : `why_${outcome}`)}</p>}
        </div>
        {info && (
          <dl className="pay-success-order">
            <dt>{t('orderNo')}</dt>
            <dd className="numeric">{info.orderNo}</dd>
          </dl>
        )}
        {!open && <Leaving />}
        <div className="empty-state-actions">
          <a className={open ? 'button button-default' : 'button button-primary'} href={ORDERS} data-replace>
            {t(open ? 'seeOrders' : 'jump')}
          </a>
        </div>
      </div>
    </div>
  );
}

/** In a tab opened by a gateway, the page first asks the other tabs for their session. */
function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => void sessionSettled().then(() => setSettled(true)), []);
  return settled;
}

const OUTCOMES = { P: 'paid', W: 'confirming', T: 'closed', C: 'closed' } as const;

function outcomeOf({ order, failures, gone }: PayStatusUpdate, { orderNo }: PayInfo): Outcome {
  if (gone || (order && order.no !== orderNo)) return 'unknown';
  if (order) return OUTCOMES[order.payStatus];
  return failures > 0 ? 'confirming' : 'checking';
}

/** Trusts the server alone: the address only names the order (decisions §6). */
function Asked({ info }: { info: PayInfo }) {
  const news = usePayStatus(info.orderId, true);
  const outcome = outcomeOf(news, info);
  useEffect(() => {
    if (outcome === 'paid') refreshUser().catch(() => undefined); // the orders page shows the balance too
  }, [outcome]);
  return <Result outcome={outcome} info={outcome === 'unknown' ? null : info} failing={news.failures > 2} />;
}

/** /PaySuccess (specification §2). */
export default function PaySuccessPage() {
  const query = useQuery();
  const info = readPayInfo(query.get('payInfo'));
  const settled = useSettled();
  const signedIn = useSignedIn();
  // The prerendered page is the same for everybody; the order is in the address.
  if (!useHydrated()) return <Result outcome="checking" info={null} failing={false} />;
  if (info === null) return <Result outcome="unknown" info={null} failing={false} />;
  if (!settled) return <Result outcome="checking" info={info} failing={false} />;
  return signedIn ? <Asked info={info} /> : <Result outcome="visitor" info={info} failing={false} />;
}
