import { useInvalidate } from '@refinedev/core';
import { listWebhooks, resumeWebhook, testWebhook } from '@yiqiao/contracts/webhooks';
import { WEBHOOKS_MAX } from '@yiqiao/domain/limits';
import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../shared/refine/use-endpoint.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Icon } from '../../../shared/ui/icon.js';
import { toast } from '../../../shared/ui/toast.js';
import { useTask } from '../../shared/dialogs/use-task.js';
import { useListTable } from '../../shared/table/use-list-table.js';
import { WebhookList } from './webhook-list.js';
import type { Task, Webhook } from './webhook.js';
import './webhooks.css';

/** Forms and dialogs, loaded when the first of them is opened. */
const TaskDialog = lazy(async () => ({ default: (await import('./task-dialog.js')).TaskDialog }));

/** How often the list is read again: an endpoint may fail or be paused meanwhile. */
const POLL_MS = 30_000;

/** Says which endpoints are paused, why, and how they go on. */
function Paused({
  webhooks,
  resume,
  busy,
}: {
  webhooks: readonly Webhook[];
  resume: (id: number) => void;
  busy: boolean;
}) {
  const t = useMessages('webhooks');
  return webhooks
    .filter(({ pauseReason }) => pauseReason !== null)
    .map(({ id, name, pauseReason }) => (
      <div key={id} className="note warning wh-paused" role="status">
        <Icon name="info" />
        <p>{t(pauseReason === 'gone' ? 'pausedGone' : 'pausedFailures', { name })}</p>
        <Button aria-label={t('resumeNamed', { name })} disabled={busy} onClick={() => resume(id)}>
          {t('resume')}
        </Button>
      </div>
    ));
}

/** /UserCenterWebhook: where a main account's events are sent (docs/decisions/0073). */
export default function WebhooksPage() {
  const t = useMessages('webhooks');
  const table = useListTable<Webhook>({ resource: 'webhooks', again: () => POLL_MS });
  const { task, round, frame, start } = useTask<Task>();
  const invalidate = useInvalidate();
  const invalidateEndpoint = useInvalidateEndpoint();
  const reread = (): Promise<unknown> =>
    Promise.all([invalidate({ resource: 'webhooks', invalidates: ['list'] }), invalidateEndpoint(listWebhooks)]);
  const resume = useEndpointMutation(resumeWebhook, { successMessage: () => t('resumed'), onSuccess: reread });
  const [tested, setTested] = useState<Webhook | null>(null);
  const test = useEndpointMutation(testWebhook, {
    onSuccess: (result) => {
      if (!tested) return;
      void reread(); // one that works again is failing no more
      // It may take ten seconds: a dialog that was opened meanwhile keeps what was typed into it.
      if (!frame.open) start({ kind: 'tested', webhook: tested, result });
      else if (result.delivered) toast.success(t('testedDelivered', { name: tested.name }));
      else toast.error(t('testedFailed', { name: tested.name }));
    },
  });
  const startTest = (webhook: Webhook): void => {
    if (test.isPending) return;
    setTested(webhook);
    test.mutate({ id: webhook.id });
  };
  const { total } = table.tableQuery.data ?? {};
  const isEmpty = total === 0; // the empty state then has the primary button
  const isFull = total !== undefined && total >= WEBHOOKS_MAX;
  return (
    <>
      <PageHeader title={t('title')} note={isFull ? t('noteFull', { max: WEBHOOKS_MAX }) : t('note')}>
        {!isEmpty && (
          <button
            type="button"
            className="button button-primary"
            disabled={isFull}
            onClick={() => start({ kind: 'add' })}
          >
            <Icon name="add" />
            {t('add')}
          </button>
        )}
      </PageHeader>
      <Paused webhooks={table.rows} resume={(id) => resume.mutate({ id })} busy={resume.isPending} />
      <section className="card lt-card" aria-label={t('tableLabel')} aria-busy={table.tableQuery.isFetching}>
        <WebhookList
          table={table}
          start={start}
          test={startTest}
          testing={test.isPending ? (tested?.id ?? null) : null}
        />
      </section>
      {task && (
        <Suspense>
          <TaskDialog key={round} task={task} frame={frame} start={start} onRemoved={table.leaveEmptyPage} />
        </Suspense>
      )}
    </>
  );
}
