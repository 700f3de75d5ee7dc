import { CHILDREN_AT_ONCE } from '@yiqiao/domain/limits';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { billingModeOf, refreshUser, useMember } from '../../../shared/auth/user.js';
import { useMessages, type Translate } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { BulkBar, ListBar } from '../../shared/table/bulk-bar.js';
import { SearchBox } from '../../../shared/antd/search-box.js';
import { useTask } from '../../shared/dialogs/use-task.js';
import { useSelection } from '../../shared/table/use-selection.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Icon } from '../../../shared/ui/icon.js';
import { ChildList } from './child-list.js';
import { useChildTable, useFamily } from './use-sub-accounts.js';
import type { Task } from './task.js';
import './sub-accounts.css';

/** Forms and dialogs, loaded when the first of them is opened. */
const TaskDialog = lazy(async () => ({ default: (await import('./task-dialog.js')).TaskDialog }));

const BATCHES = [
  { kind: 'shareMany', text: 'shareMany' },
  { kind: 'enabledMany', text: 'enabledMany' },
] as const;

function FamilyNote() {
  const t = useMessages('sub-accounts');
  const family = useFamily();
  const user = useMember();
  const left = grouped(user.memberAccount.usableCharNum);
  // In time mode this explains why characters can still be distributed (decisions §3).
  const apart = billingModeOf(user) === 'time' ? t('noteApart') : '';
  return (
    <>
      {familyText(family, left, t)}
      {apart}
    </>
  );
}

function familyText(family: ReturnType<typeof useFamily>, left: string, t: Translate<'sub-accounts'>): string {
  if (family === null) return t('noteMain', { left });
  const { count, chars } = family;
  if (count === 0) return t('noteNone', { left });
  const n = grouped(count);
  return chars === null ? t('noteMany', { n, left }) : t('note', { n, held: grouped(chars), left });
}

/** /UserCenterChild: the sub-accounts of a main account (specification §2). */
export default function SubAccountsPage() {
  const t = useMessages('sub-accounts');
  const table = useChildTable();
  const selection = useSelection({ question: table.search, rows: table.rows, idOf: ({ userId }) => userId });
  const { task, round, frame, start } = useTask<Task>();
  // The empty state then has the primary button.
  const isEmpty = table.tableQuery.data?.total === 0 && table.search === '';
  const section = useRef<HTMLElement>(null);
  const gone = useRef(false);
  useEffect(() => {
    // The stored member may be older than the last distribution; it is shown until the response arrives.
    refreshUser().catch(() => undefined);
  }, []);
  const removed = (count: number): void => {
    gone.current = true;
    selection.clear();
    table.leaveEmptyPage(count);
  };
  const afterClose = (): void => {
    frame.afterClose();
    // The button that opened the dialog has gone with its row: the focus moves to the list.
    if (gone.current || document.activeElement === document.body) section.current?.focus({ preventScroll: true });
    gone.current = false;
  };
  return (
    <>
      <PageHeader title={t('title')} note={<FamilyNote />}>
        <button type="button" className="button button-default" onClick={() => start({ kind: 'autoAll' })}>
          {t('autoAll')}
        </button>
        <button
          type="button"
          className={isEmpty ? 'button button-default' : 'button button-primary'}
          onClick={() => start({ kind: 'add' })}
        >
          <Icon name="add" />
          {t('add')}
        </button>
      </PageHeader>
      <section
        ref={section}
        tabIndex={-1}
        className="card lt-card sa-list"
        aria-label={t('tableLabel')}
        aria-busy={table.tableQuery.isFetching}
      >
        <ListBar>
          <SearchBox label={t('search')} value={table.search} onSearch={table.setSearch} />
          {!isEmpty && (
            <BulkBar
              selection={selection}
              most={CHILDREN_AT_ONCE}
              none={t('noneSelected')}
              tooMany={t('tooManySelected', { n: CHILDREN_AT_ONCE })}
              onDelete={(children) => start({ kind: 'remove', children })}
            >
              {BATCHES.map(({ kind, text }) => (
                <button
                  key={kind}
                  type="button"
                  className="button button-default button-small"
                  disabled={table.total === 0}
                  onClick={() => start({ kind, children: selection.ticked })}
                >
                  {t(text)}
                </button>
              ))}
            </BulkBar>
          )}
        </ListBar>
        <ChildList table={table} selection={selection} start={start} />
      </section>
      {task && (
        <Suspense>
          <TaskDialog key={round} task={task} frame={{ ...frame, afterClose }} table={table} onRemoved={removed} />
        </Suspense>
      )}
    </>
  );
}
