import type { BaseRecord } from '@refinedev/core';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { messageOf } from '../api/api-error.js';
import { useTexts } from '../i18n/texts.js';
import { grouped } from '../ledger/amount-text.js';
import { TableSkeleton } from '../ui/console/table-skeleton.js';
import { Empty } from '../ui/empty.js';
import { ErrorState } from '../ui/error-state.js';
import { defaultQuery, isNarrowed } from './log-query.js';
import type { LogTable } from './use-log-table.js';

/** What an empty log says, and where it leads. */
export type EmptyLog = { title: string; why: string; action?: ReactNode };

type LogMessageProps<Row extends BaseRecord> = { table: LogTable<Row>; columns: number; empty: EmptyLog };

/** What stands in the place of the rows when there are none to show. */
export function LogMessage<Row extends BaseRecord>({ table, columns, empty }: LogMessageProps<Row>) {
  const t = useTexts('logs');
  const { tableQuery, query, ask } = table;
  if (tableQuery.isError) {
    const why = messageOf(tableQuery.error); // null: said already, above the page
    return (
      <ErrorState title={t('failed')} onReload={() => void tableQuery.refetch()}>
        {why && t('failedWhy', { why: why.replace(/[。.]$/, '') })}
      </ErrorState>
    );
  }
  if (!tableQuery.data) return <TableSkeleton rows={8} columns={columns} />;
  const { total } = tableQuery.data;
  if (total > 0)
    return (
      <Empty title={t('pastEnd')} action={<Button onClick={() => table.setCurrentPage(1)}>{t('toFirst')}</Button>}>
        {t('pastEndWhy', { n: grouped(total) })}
      </Empty>
    );
  if (isNarrowed(query))
    return (
      <Empty title={t('noMatch')} action={<Button onClick={() => ask(defaultQuery())}>{t('reset')}</Button>}>
        {t('noMatchWhy')}
      </Empty>
    );
  return (
    <Empty title={empty.title} action={empty.action}>
      {empty.why}
    </Empty>
  );
}
