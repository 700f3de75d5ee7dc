import { useEffect, useState } from 'react';
import { useQuery } from '../../shared/routing.js';
import { sessionSettled } from '../../../shared/api/session.js';
import { useSignedIn } from '../../../shared/auth/stored-user.js';
import { refreshUser } from '../../../shared/auth/user.js';
import { usePayStatus, type PayStatusNews } from '../../../shared/payment/use-pay-status.js';
import { useHydrated } from '../../../shared/use-hydrated.js';
import { readPayInfo, type PayInfo } from './pay-info.js';
import { Result, type Outcome } from './result.js';
import './pay-success.css';

/** Opened by a gateway in a tab of its own, the page first hears from the other tabs who is signed in. */
function useSettled(): boolean {
  const [settled, setSettled] = useState(false);
  useEffect(() => void sessionSettled().then(() => setSettled(true)), []);
  return settled;
}

const OUTCOMES = { P: 'paid', W: 'confirming', T: 'closed', C: 'closed' } as const;

function outcomeOf({ order, failures, gone }: PayStatusNews, { orderNo }: PayInfo): Outcome {
  if (gone || (order && order.no !== orderNo)) return 'unknown';
  if (order) return OUTCOMES[order.payStatus];
  return failures > 0 ? 'confirming' : 'checking';
}

/** Believes the server alone: the address only says which order to ask for (decisions §6). */
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
  // One page is sent to everybody: which order it is only the address knows.
  if (!useHydrated()) return <Result outcome="checking" info={null} failing={false} />;
  if (info === null) return <Result outcome="unknown" info={null} failing={false} />;
  if (!settled) return <Result outcome="checking" info={info} failing={false} />;
  return signedIn ? <Asked info={info} /> : <Result outcome="visitor" info={info} failing={false} />;
}
