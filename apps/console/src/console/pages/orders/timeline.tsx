import { listOrderEvents } from '@yiqiao/contracts/orders';
import { ORDER_EVENTS, type OrderEvent } from '@yiqiao/domain/orders';
import { Skeleton } from 'antd';
import { useEffect, useRef } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { useEndpoint, type EndpointQuery } from '../../../shared/refine/use-endpoint.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useLive } from '../../shared/use-live.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';

type Look = { icon: IconName; tone: '' | 'od-good' | 'od-bad' };

const LOOKS: Record<OrderEvent, Look> = {
  created: { icon: 'file', tone: '' },
  shown: { icon: 'card', tone: '' },
  notified: { icon: 'chat', tone: '' },
  queried: { icon: 'search', tone: '' },
  credited: { icon: 'check', tone: 'od-good' },
  cancelled: { icon: 'close', tone: '' },
  timedOut: { icon: 'clock', tone: '' },
  failed: { icon: 'alert', tone: 'od-bad' },
  doublePaid: { icon: 'alert', tone: 'od-bad' },
  paidAfterLogOff: { icon: 'alert', tone: 'od-bad' },
  wrongAmount: { icon: 'alert', tone: 'od-bad' },
  tooLarge: { icon: 'alert', tone: 'od-bad' },
  unanswered: { icon: 'alert', tone: 'od-bad' },
  refundStarted: { icon: 'back', tone: '' },
  refunded: { icon: 'back', tone: 'od-good' },
  refundRefused: { icon: 'alert', tone: 'od-bad' },
};

type TimelineQuery = EndpointQuery<typeof listOrderEvents>;

/** The time at which the order was credited; null while it has not been, or is not known yet. */
export const creditedAt = ({ data }: TimelineQuery): string | null =>
  data?.find(({ event }) => event === 'credited')?.dateTime ?? null;

/** The events of an order, oldest first; refetched when `state` changes or the server reports a new one. */
export function useTimeline(orderId: number, state: string): TimelineQuery {
  const query = useEndpoint(listOrderEvents, { id: String(orderId) }, { gcTime: 0 });
  const { refetch } = query;
  useLive('order', ({ id }) => {
    if (id === orderId) void refetch();
  });
  const read = useRef(state);
  useEffect(() => {
    if (read.current === state) return;
    read.current = state;
    void refetch();
  }, [state, refetch]);
  return query;
}

/** The events of an order, oldest first. They stay on screen when a refetch fails. */
export function Timeline({ query: { data, isError, error, refetch } }: { query: TimelineQuery }) {
  const t = useMessages('orders');
  if (!data && isError)
    return (
      <ErrorState title={t('timelineFailed')} onReload={() => void refetch()}>
        {messageOf(error)}
      </ErrorState>
    );
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 4 }} />;
  return (
    <ol className="od-line" aria-label={t('timeline')}>
      {data.map(({ event, dateTime }, at) => (
        <li key={`${at}-${event}`} className={LOOKS[event].tone}>
          <i aria-hidden="true">
            <Icon name={LOOKS[event].icon} />
          </i>
          <span>{ORDER_EVENTS[event][language]}</span>
          <time className="numeric" dateTime={dateTime.replace(' ', 'T')}>
            {dateTime}
          </time>
        </li>
      ))}
    </ol>
  );
}
