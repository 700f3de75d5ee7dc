import { listWebhookDeliveries, resendWebhookDelivery } from '@yiqiao/contracts/webhooks';
import { PAGE_SIZE } from '@yiqiao/domain/limits';
import { WEBHOOK_EVENTS, WEBHOOK_FAILURES, WEBHOOK_STATES, type WebhookState } from '@yiqiao/domain/webhooks';
import { Drawer, Pagination, Select, Skeleton } from 'antd';
import { useState } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { messageOf } from '../../../shared/api/api-error.js';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { language } from '../../../shared/i18n/language.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpoint, useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ErrorState } from '../../../shared/ui/error-state.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { type Delivery, typeName, type Webhook } from './webhook.js';

const POLL_MS = 5_000;

const LOOKS = {
  waiting: { className: 'badge decrease', icon: 'clock' },
  delivered: { className: 'badge increase', icon: 'check' },
  failed: { className: 'badge danger', icon: 'info' },
  canceled: { className: 'badge', icon: 'close' },
} as const satisfies Record<WebhookState, { className: string; icon: IconName }>;

const STATES = Object.keys(WEBHOOK_STATES) as WebhookState[];
const TYPES: readonly Delivery['type'][] = [
  ...(Object.keys(WEBHOOK_EVENTS) as (keyof typeof WEBHOOK_EVENTS)[]),
  'test',
];

/** One line: status code, time taken, attempt, and when the next one is. */
function useSummary({ state, attempts, httpStatus, milliseconds, nextDateTime }: Delivery): string {
  const t = useMessages('webhooks');
  return [
    httpStatus === null ? null : `HTTP ${httpStatus}`,
    milliseconds === null ? null : t('ms', { n: grouped(milliseconds) }),
    attempts === 0 ? null : t('attempt', { n: attempts }),
    state !== 'waiting' ? null : nextDateTime === null ? t('held') : t('next', { time: nextDateTime }),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

type LineProps = { delivery: Delivery; canSend: boolean; resend: (id: number) => void; busy: boolean };

function Line({ delivery, canSend, resend, busy }: LineProps) {
  const t = useMessages('webhooks');
  const { id, messageId, type, state, failure, answer, createDateTime, lastDateTime } = delivery;
  const { className, icon } = LOOKS[state];
  const summary = useSummary(delivery);
  return (
    <li className="wh-line">
      <div className="wh-line-head">
        <b>{typeName(type)}</b>
        <span className={className}>
          <Icon name={icon} />
          {WEBHOOK_STATES[state][language]}
        </span>
        <time className="faint numeric" dateTime={createDateTime.replace(' ', 'T')}>
          {createDateTime}
        </time>
      </div>
      {summary !== '' && <p className="muted numeric">{summary}</p>}
      {failure !== null && <p className="wh-why">{WEBHOOK_FAILURES[failure][language]}</p>}
      <div className="wh-line-foot">
        <details>
          <summary>{t('details')}</summary>
          <dl className="wh-facts">
            <dt>{t('messageId')}</dt>
            <dd>
              <code>{messageId}</code>
            </dd>
            {lastDateTime !== null && (
              <>
                <dt>{t('tried')}</dt>
                <dd className="numeric">{lastDateTime}</dd>
              </>
            )}
            <dt>{t('answer')}</dt>
            <dd>
              {answer ? (
                <pre className="wh-answer">{answer}</pre>
              ) : (
                <span className="faint">{delivery.httpStatus === null ? '–' : t('noAnswer')}</span>
              )}
            </dd>
          </dl>
        </details>
        {canSend && (
          <button
            type="button"
            className="button button-text button-small"
            aria-label={t(state === 'waiting' ? 'sendNowNamed' : 'resendNamed', { id: messageId })}
            // Not disabled: it would lose the focus. A second press is ignored.
            aria-busy={busy}
            onClick={() => resend(id)}
          >
            {t(state === 'waiting' ? 'sendNow' : 'resend')}
          </button>
        )}
      </div>
    </li>
  );
}

type Filters = { state: WebhookState | null; type: Delivery['type'] | null };

function FilterFields({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  const t = useMessages('webhooks');
  return (
    <div className="wh-filters">
      <Select<WebhookState | 'all'>
        aria-label={t('state')}
        value={filters.state ?? 'all'}
        options={[
          { value: 'all', label: t('anyState') },
          ...STATES.map((value) => ({ value, label: WEBHOOK_STATES[value][language] })),
        ]}
        onChange={(state) => onChange({ ...filters, state: state === 'all' ? null : state })}
      />
      <Select<Delivery['type'] | 'all'>
        aria-label={t('events')}
        value={filters.type ?? 'all'}
        options={[{ value: 'all', label: t('anyType') }, ...TYPES.map((value) => ({ value, label: typeName(value) }))]}
        onChange={(type) => onChange({ ...filters, type: type === 'all' ? null : type })}
      />
    </div>
  );
}

/** What was sent to an endpoint, newest first, and how each attempt went. It follows what happens while it is open. */
export function LogDrawer({ frame, webhook }: { frame: DialogFrame; webhook: Webhook }) {
  const t = useMessages('webhooks');
  const [filters, setFilters] = useState<Filters>({ state: null, type: null });
  const [page, setPage] = useState(1);
  const { state, type } = filters;
  const log = useEndpoint(
    listWebhookDeliveries,
    { webhookId: String(webhook.id), pageNum: String(page), ...(state && { state }), ...(type && { type }) },
    { refetchInterval: frame.open && POLL_MS, refetchOnMount: 'always' },
  );
  const invalidate = useInvalidateEndpoint();
  const resend = useEndpointMutation(resendWebhookDelivery, {
    successMessage: () => t('resent'),
    onSuccess: () => invalidate(listWebhookDeliveries),
  });
  const isNarrowed = state !== null || type !== null;
  const canSend = webhook.enabled === 1 && webhook.pausedDateTime === null;
  const { data } = log;
  // Deliveries are deleted after a month: the page that is shown may be gone.
  const last = Math.max(1, Math.ceil((data?.total ?? 0) / PAGE_SIZE));
  if (data && page > last) setPage(last);
  return (
    <Drawer
      open={frame.open}
      width={560}
      title={
        <span className="dynamic-text">
          {t('logTitle')} · {webhook.name}
        </span>
      }
      onClose={frame.onClose}
      afterOpenChange={(shown) => !shown && frame.afterClose()}
    >
      <div className="wh-log-head">
        <FilterFields
          filters={filters}
          onChange={(next) => {
            setFilters(next);
            setPage(1);
          }}
        />
        <small className="faint">{t('logNote')}</small>
      </div>
      {data && data.rows.length > 0 ? (
        <>
          <ul className="wh-log" aria-busy={log.isFetching}>
            {data.rows.map((delivery) => (
              <Line
                key={delivery.id}
                delivery={delivery}
                canSend={canSend}
                resend={(id) => resend.mutate({ id })}
                busy={resend.isPending}
              />
            ))}
          </ul>
          <Pagination
            simple
            hideOnSinglePage
            current={page}
            pageSize={PAGE_SIZE}
            total={data.total}
            itemRender={namedPages}
            onChange={setPage}
          />
        </>
      ) : data ? (
        <Empty title={t(isNarrowed ? 'logNoMatch' : 'logEmpty')}>{!isNarrowed && t('logEmptyWhy')}</Empty>
      ) : log.isError ? (
        <ErrorState title={t('logFailed')} onReload={() => void log.refetch()}>
          {messageOf(log.error)}
        </ErrorState>
      ) : (
        <Skeleton active paragraph={{ rows: 8 }} />
      )}
    </Drawer>
  );
}
