import { PAY_SUCCESS_SECONDS } from '@yiqiao/domain/limits';
import { useEffect, useState } from 'react';
import { yuan } from '../../../shared/amounts.js';
import { sessionSettled } from '../../../shared/api/session.js';
import { useSignedIn } from '../../../shared/auth/stored-user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { creditedText } from '../../../shared/payment/plan-text.js';
import { usePayStatus, type PayStatusUpdate } from '../../../shared/payment/use-pay-status.js';
import { StateIllustration } from '../../../shared/ui/empty.js';
import { useHydrated } from '../../shared/use-hydrated.js';
import { useNavigate, useQuery } from '../../shared/routing.js';
import { readPayInfo, type PayInfo } from './pay-info.js';
import { useCredit, type Credit } from './use-credit.js';
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

/** What was paid and what the account holds now; the lines stand from the start, so that nothing moves when they are filled. */
function CreditFacts({ credit }: { credit: Credit | 'loading' }) {
  const t = useMessages('pay-success');
  const facts =
    credit === 'loading'
      ? ([t('amountPaid'), t('credited'), t('balance'), t('expires')] as const).map((label) => [label, null] as const)
      : ([
          [t('amountPaid'), `¥${yuan(credit.amount)}`],
          [t('credited'), credit.creditedNum === null ? null : creditedText(credit.billingMode, credit.creditedNum)],
          [t('balance'), credit.holdsChars ? creditedText('char', credit.usableCharNum) : null],
          [t('expires'), credit.expireDateTime],
        ] as const);
  return facts
    .filter(([, value]) => credit === 'loading' || value !== null)
    .map(([label, value]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd className="numeric">{value ?? <span className="skeleton" aria-label={t('loading')} />}</dd>
      </div>
    ));
}

type ResultProps = { outcome: Outcome; info: PayInfo | null; failing: boolean; credit?: Credit | 'loading' | null };

/** The outcome, the order number and the next step. The page stays only while the outcome can still change. */
function Result({ outcome, info, failing, credit = null }: ResultProps) {
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
            <div>
              <dt>{t('orderNo')}</dt>
              <dd className="numeric">{info.orderNo}</dd>
            </div>
            {credit && <CreditFacts credit={credit} />}
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
  const credit = useCredit(info.orderId, outcome === 'paid');
  return (
    <Result
      outcome={outcome}
      info={outcome === 'unknown' ? null : info}
      failing={news.failures > 2}
      credit={outcome === 'paid' ? credit : null}
    />
  );
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
