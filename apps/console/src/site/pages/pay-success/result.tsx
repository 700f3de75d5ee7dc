import { PAY_SUCCESS_SECONDS } from '@yiqiao/domain/limits';
import { useEffect, useState } from 'react';
import { useNavigate } from '../../shared/routing.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Bridge } from '../../../shared/ui/bridge.js';
import type { PayInfo } from './pay-info.js';

const ORDERS = '/UserCenterOrder';

/** Five seconds, then the orders (specification §2, §9). */
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
  return <p className="ps-soon num">{t('soon', { seconds })}</p>;
}

export type Outcome = 'checking' | 'paid' | 'confirming' | 'closed' | 'visitor' | 'unknown';

const DRAWINGS = {
  checking: 'empty',
  paid: 'done',
  confirming: 'empty',
  closed: 'broken',
  visitor: 'empty',
  unknown: 'empty',
} as const;

/** How it went, which order it was, and the way on. Only what may still change keeps the person here. */
export function Result({ outcome, info, failing }: { outcome: Outcome; info: PayInfo | null; failing: boolean }) {
  const t = useMessages('pay-success');
  const open = outcome === 'checking' || outcome === 'confirming';
  return (
    <div className="ps">
      <div className="em">
        <Bridge state={DRAWINGS[outcome]} />
        <div role="status">
          <h1>{t(outcome)}</h1>
          {outcome !== 'checking' && <p>{t(failing ? 'unreachable' : `why_${outcome}`)}</p>}
        </div>
        {info && (
          <dl className="ps-order">
            <dt>{t('orderNo')}</dt>
            <dd className="num">{info.orderNo}</dd>
          </dl>
        )}
        {!open && <Leaving />}
        <div className="em-act">
          <a className={open ? 'btn btn-d' : 'btn btn-p'} href={ORDERS} data-replace>
            {t(open ? 'seeOrders' : 'jump')}
          </a>
        </div>
      </div>
    </div>
  );
}
