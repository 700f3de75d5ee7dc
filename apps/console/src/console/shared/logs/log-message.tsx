import type { BaseRecord } from '@refinedev/core';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Empty } from '../../../shared/ui/empty.js';
import { ListMessage } from './list-message.js';
import { defaultQuery, isNarrowed } from './log-query.js';
import type { LogTable } from './use-log-table.js';

/** The message of an empty log, and its link. */
export type EmptyLog = { title: string; why: string; action?: ReactNode };

type LogMessageProps<Row extends BaseRecord> = { table: LogTable<Row>; columns: number; empty: EmptyLog };

/** Replaces the rows when there are none to show. */
export function LogMessage<Row extends BaseRecord>({ table, columns, empty }: LogMessageProps<Row>) {
  const t = useMessages('logs');
  const { tableQuery, query, setQuery, setCurrentPage } = table;
  const none = isNarrowed(query) ? (
    <Empty title={t('noMatch')} action={<Button onClick={() => setQuery(defaultQuery())}>{t('reset')}</Button>}>
      {t('noMatchWhy')}
    </Empty>
  ) : (
    <Empty title={empty.title} action={empty.action}>
      {empty.why}
    </Empty>
  );
  return (
    <ListMessage query={tableQuery} skeleton={{ rows: 8, columns }} toFirst={() => setCurrentPage(1)}>
      {none}
    </ListMessage>
  );
}
