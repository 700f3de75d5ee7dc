import { API_KEYS_AT_ONCE, API_KEYS_MAX } from '@yiqiao/domain/limits';
import { lazy, Suspense, useRef } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { useTask } from '../../shared/dialogs/use-task.js';
import { BulkBar, ListBar } from '../../shared/table/bulk-bar.js';
import { useSelection } from '../../shared/table/use-selection.js';
import { KeyFilters } from './key-filters.js';
import { KeyList } from './key-list.js';
import type { Task } from './task.js';
import { useKeyTable } from './use-key-table.js';
import './api-keys.css';

/** Forms and dialogs, loaded when the first of them is opened. */
const TaskDialog = lazy(async () => ({ default: (await import('./task-dialog.js')).TaskDialog }));

function Note({ count }: { count: number | null }) {
  const t = useMessages('api-keys');
  const max = grouped(API_KEYS_MAX);
  if (count === null) return t('noteLoading');
  return count >= API_KEYS_MAX ? t('noteFull', { max }) : t('note', { n: grouped(count), max });
}

/** /UserCenterApiKeys: the keys of the member's own software (docs/decisions/0071). */
export default function ApiKeysPage() {
  const t = useMessages('api-keys');
  const table = useKeyTable();
  const selection = useSelection({ question: JSON.stringify(table.query), rows: table.rows, idOf: ({ id }) => id });
  const { task, round, frame, start } = useTask<Task>();
  const section = useRef<HTMLElement>(null);
  const revoked = (count: number): void => {
    selection.clear();
    table.leaveEmptyPage(count);
  };
  const afterClose = (): void => {
    frame.afterClose();
    // The button that opened the dialog may have gone with its row: the focus moves to the list.
    if (document.activeElement === document.body) section.current?.focus({ preventScroll: true });
  };
  const { count, query, isNarrowed } = table;
  const isFull = count !== null && count >= API_KEYS_MAX;
  const isEmpty = table.tableQuery.data?.total === 0 && !isNarrowed; // the empty state then has the primary button
  const canRevoke = query.state !== 'revoked';
  return (
    <>
      <PageHeader title={t('title')} note={<Note count={count} />}>
        <a className="button button-default" href="/developers">
          {t('docs')}
        </a>
        <button
          type="button"
          className={isEmpty ? 'button button-default' : 'button button-primary'}
          disabled={isFull}
          onClick={() => start({ kind: 'create' })}
        >
          <Icon name="add" />
          {t('create')}
        </button>
      </PageHeader>
      <section
        ref={section}
        tabIndex={-1}
        className="card lt-card ak-list"
        aria-label={t('tableLabel')}
        aria-busy={table.tableQuery.isFetching}
      >
        <ListBar>
          <KeyFilters table={table} />
          {!isEmpty && canRevoke && (
            <BulkBar
              selection={selection}
              most={API_KEYS_AT_ONCE}
              none={t('noneSelected')}
              tooMany={t('tooManySelected', { n: API_KEYS_AT_ONCE })}
              verb={t('revokeMany')}
              onDelete={(apiKeys) => start({ kind: 'revoke', apiKeys })}
            />
          )}
        </ListBar>
        <KeyList table={table} selection={canRevoke ? selection : null} start={start} />
      </section>
      {task && (
        <Suspense>
          <TaskDialog
            key={round}
            task={task}
            frame={{ ...frame, afterClose }}
            onCreated={() => table.setQuery({})}
            onRevoked={revoked}
          />
        </Suspense>
      )}
    </>
  );
}
