import { WEBHOOK_FORMATS } from '@yiqiao/domain/webhooks';
import type { TableColumnType } from 'antd';
import { language } from '../../../shared/i18n/language.js';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon, type IconName } from '../../../shared/ui/icon.js';
import { ListMessage } from '../../shared/logs/list-message.js';
import { type Column, labelled } from '../../shared/table/labelled.js';
import { ListTable } from '../../shared/table/list-table.js';
import type { ListTable as List } from '../../shared/table/use-list-table.js';
import { stateOf, type Task, typeName, type Webhook } from './webhook.js';

const LOOKS = {
  on: { className: 'badge increase', icon: 'check' },
  off: { className: 'badge', icon: 'close' },
  failing: { className: 'badge danger', icon: 'info' },
  paused: { className: 'badge decrease', icon: 'clock' },
} as const satisfies Record<ReturnType<typeof stateOf>, { className: string; icon: IconName }>;

/** As icon, text and colour, never colour alone, and what explains it. */
function State({ webhook }: { webhook: Webhook }) {
  const t = useMessages('webhooks');
  const state = stateOf(webhook);
  const { className, icon } = LOOKS[state];
  const { failingSinceDateTime: since, oldSecretUntilDateTime: until } = webhook;
  return (
    <span className="wh-state">
      <span className={className}>
        <Icon name={icon} />
        {t(state)}
      </span>
      {state === 'failing' && since !== null && <small className="faint">{t('failingSince', { time: since })}</small>}
      {until !== null && <small className="faint">{t('oldSecret', { time: until })}</small>}
    </span>
  );
}

type Actions = { start: (task: Task) => void; test: (webhook: Webhook) => void; testing: number | null };

function webhookColumns({
  start,
  test,
  testing,
  t,
}: Actions & { t: Translate<'webhooks'> }): TableColumnType<Webhook>[] {
  const columns: Column<Webhook>[] = [
    {
      key: 'name',
      title: t('name'),
      rowScope: 'row',
      render: (_, { name, url, format }) => (
        <span className="wh-name">
          <b className="dynamic-text">{name}</b>
          <small>{WEBHOOK_FORMATS[format][language]}</small>
          {url ? <code title={url}>{url}</code> : <small>{t('urlLost')}</small>}
        </span>
      ),
    },
    {
      key: 'events',
      title: t('events'),
      render: (_, { events }) => (
        <span className="wh-events">
          {events.map((event) => (
            <span key={event} className="badge">
              {typeName(event)}
            </span>
          ))}
        </span>
      ),
    },
    { key: 'state', title: t('state'), render: (_, webhook) => <State webhook={webhook} /> },
    {
      key: 'operate',
      className: 'lt-stay',
      title: t('operate'),
      render: (_, webhook) => {
        const { id, name } = webhook;
        const busy = testing === id;
        return (
          <div className="row-ops">
            <button type="button" aria-label={t('testNamed', { name })} aria-busy={busy} onClick={() => test(webhook)}>
              {t('test')}
            </button>
            <button type="button" aria-label={t('logNamed', { name })} onClick={() => start({ kind: 'log', webhook })}>
              {t('log')}
            </button>
            <button
              type="button"
              aria-label={t('editNamed', { name })}
              onClick={() => start({ kind: 'edit', webhook })}
            >
              {t('edit')}
            </button>
            <button
              type="button"
              className="danger"
              aria-label={t('removeNamed', { name })}
              onClick={() => start({ kind: 'remove', webhook })}
            >
              {t('remove')}
            </button>
          </div>
        );
      },
    },
  ];
  return labelled(columns, 'wh-c');
}

/** The rows of the page, or the message in their place. */
export function WebhookList({ table, ...actions }: Actions & { table: List<Webhook> }) {
  const t = useMessages('webhooks');
  if (table.rows.length === 0)
    return (
      <ListMessage
        query={table.tableQuery}
        skeleton={{ rows: 10, columns: 4 }}
        failed={{ title: t('failed'), why: (why) => t('failedWhy', { why }) }}
        toFirst={() => table.setCurrentPage(1)}
      >
        <Empty
          title={t('emptyTitle')}
          action={
            <button type="button" className="button button-primary" onClick={() => actions.start({ kind: 'add' })}>
              <Icon name="add" />
              {t('add')}
            </button>
          }
        >
          {t('emptyWhy')}
        </Empty>
      </ListMessage>
    );
  return (
    <ListTable<Webhook>
      list={table}
      label={t('tableLabel')}
      className="wh-table"
      rowKey="id"
      columns={webhookColumns({ ...actions, t })}
    />
  );
}
