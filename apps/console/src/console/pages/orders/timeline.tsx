import { ORDER_EVENTS, type OrderEvent } from '@yiqiao/domain/orders';
import { Skeleton } from 'antd';
import { language } from '../../../shared/i18n/language.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import type { OrderTimeline } from './use-timeline.js';

type Look = { icon: IconName; tone: '' | 'good' | 'bad' };

const LOOKS: Record<OrderEvent, Look> = {
  created: { icon: 'file', tone: '' },
  shown: { icon: 'card', tone: '' },
  notified: { icon: 'chat', tone: '' },
  queried: { icon: 'search', tone: '' },
  credited: { icon: 'check', tone: 'good' },
  cancelled: { icon: 'close', tone: '' },
  timedOut: { icon: 'clock', tone: '' },
  failed: { icon: 'alert', tone: 'bad' },
  doublePaid: { icon: 'alert', tone: 'bad' },
  paidAfterLogOff: { icon: 'alert', tone: 'bad' },
  wrongAmount: { icon: 'alert', tone: 'bad' },
  tooLarge: { icon: 'alert', tone: 'bad' },
  unanswered: { icon: 'alert', tone: 'bad' },
  refundStarted: { icon: 'back', tone: '' },
  refunded: { icon: 'back', tone: 'good' },
  refundRefused: { icon: 'alert', tone: 'bad' },
};

/** What happened to an order, in the order in which it happened. */
export function Timeline({ timeline, onReload }: { timeline: OrderTimeline; onReload: () => void }) {
  const t = useTexts('orders');
  if (timeline.status === 'loading') return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  if (timeline.status === 'failed')
    return (
      <ErrorState title={t('timelineFailed')} onReload={onReload}>
        {timeline.why}
      </ErrorState>
    );
  return (
    <ol className="od-line" aria-label={t('timeline')}>
      {timeline.events.map(({ event, dateTime }, at) => (
        <li key={`${at}-${event}`} className={LOOKS[event].tone}>
          <i aria-hidden="true">
            <Icon name={LOOKS[event].icon} />
          </i>
          <span>{ORDER_EVENTS[event][language]}</span>
          <time className="num" dateTime={dateTime.replace(' ', 'T')}>
            {dateTime}
          </time>
        </li>
      ))}
    </ol>
  );
}
