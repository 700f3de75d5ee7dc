import { listReconciliations } from '@yiqiao/contracts/operator/reconciliations';
import { Link } from 'react-router';
import { grouped, yuan } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Card } from '../../../shared/ui/card.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import { Loaded } from '../../shared/states.js';
import { useSummary } from './payments-frame.js';

const MESSAGES = {
  handled: 'check',
  forged: 'lock',
  strangers: 'info',
  waiting: 'clock',
} as const satisfies Record<string, IconName>;

/** What the last comparison with the gateways found. */
function Compared({ open }: { open: number }) {
  const t = useMessages('payments');
  const query = useEndpoint(listReconciliations, { source: 'gateway', pageNum: '1', pageSize: '1' });
  const [run] = query.data?.rows ?? [];
  const isOver = run?.state === 'done' && run.totals.length > 0;
  return (
    <Card title={t('tabReconciliations')} note={run && <span className="numeric">{run.startedAt.slice(5, 16)}</span>}>
      <div className="compared">
        {isOver && (
          <p className="figure">
            {grouped(Math.max(0, run.done - run.differentOrders))}
            <small>{t('sameOf', { n: grouped(run.done) })}</small>
          </p>
        )}
        <p className="muted numeric">
          {isOver
            ? t('comparedSpan', { from: run.from.slice(5, 10), to: run.to.slice(5, 10) })
            : query.data && t('neverCompared')}{' '}
          {open > 0 ? t('openDifferences', { n: grouped(open) }) : t('allMatched')}
        </p>
      </div>
      <Link className="card-more" to="/payments/reconciliations">
        {open > 0 ? t('seeDifferences', { n: grouped(open) }) : t('seeReconciliations')}
        <Icon name="next" />
      </Link>
    </Card>
  );
}

/** Differences, today's takings, and the messages of the last day. */
export function Beside() {
  const t = useMessages('payments');
  const query = useSummary();
  return (
    <Loaded query={query} rows={6}>
      {({ openDifferences, today, messages }) => (
        <>
          <Compared open={openDifferences} />
          <Card
            title={t('today')}
            note={t('ordersToday', { n: today.gateways.reduce((n, { orders }) => n + orders, 0) })}
          >
            <dl className="facts card-body">
              {today.gateways.map(({ gateway, orders, amount }) => (
                <div key={gateway}>
                  <dt>
                    {t(`gateway_${gateway}`)}{' '}
                    <span className="faint numeric">{t('times1', { n: grouped(orders) })}</span>
                  </dt>
                  <dd className="numeric">¥{yuan(amount)}</dd>
                </div>
              ))}
              <div>
                <dt>
                  {t('refunds')} <span className="faint numeric">{t('times1', { n: grouped(today.refunds) })}</span>
                </dt>
                <dd className="numeric">
                  {today.refunded > 0 && '−'}¥{yuan(today.refunded)}
                </dd>
              </div>
              <div className="facts-sum">
                <dt>
                  <b>{t('net')}</b>
                </dt>
                <dd className="numeric">
                  <b>¥{yuan(today.gateways.reduce((sum, { amount }) => sum + amount, 0) - today.refunded)}</b>
                </dd>
              </div>
            </dl>
          </Card>
          <Card title={t('messages')} note={t('lastDay')}>
            <ul className="message-counts">
              {(['handled', 'forged', 'strangers', 'waiting'] as const).map((name) => (
                <li key={name}>
                  <Icon name={MESSAGES[name]} />
                  <div>
                    {t(name)} <b className="numeric">{grouped(messages[name])}</b>
                    <small>{t(`why_${name}`)}</small>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        </>
      )}
    </Loaded>
  );
}
