import type { BaseRecord } from '@refinedev/core';
import { Button, Table, type FormInstance, type TableColumnType } from 'antd';
import type { HTMLAttributes, ReactNode } from 'react';
import { messageOf } from '../api/api-error.js';
import { useTexts } from '../i18n/texts.js';
import { grouped } from '../ledger/amount-text.js';
import { Empty } from '../ui/empty.js';
import { ErrorState } from '../ui/error-state.js';
import { PageHeader } from '../ui/console/page-header.js';
import { TableSkeleton } from '../ui/console/table-skeleton.js';
import { LogFilterForm } from './log-filter-form.js';
import { defaultQuery, isNarrowed, type TimeField } from './log-query.js';
import { useLogTable, type LogTable } from './use-log-table.js';
import './log-page.css';

export type LogColumn<Row> = TableColumnType<Row> & { title: string };

type LogPageProps<Row> = {
  title: string;
  note: string;
  resource: string;
  timeField: TimeField;
  columns: LogColumn<Row>[];
  /** Form.Items for the filters of this log alone. */
  filters?: ReactNode;
  /** What an empty log says, and where it leads. */
  empty: { title: string; why: string; action?: ReactNode };
};

type BodyProps<Row extends BaseRecord> = Pick<LogPageProps<Row>, 'columns' | 'empty'> & { table: LogTable<Row> };

/** What stands in the place of the rows when there are none to show, or null. */
function LogMessage<Row extends BaseRecord>({ table, columns, empty }: BodyProps<Row>) {
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
  if (!tableQuery.data) return <TableSkeleton rows={8} columns={columns.length + 1} />;
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

/** Each cell knows its heading, so that on a phone a row can be read as a list (log-page.css). */
const labelled = <Row,>(columns: LogColumn<Row>[]): LogColumn<Row>[] =>
  columns.map((column) => ({
    ...column,
    onCell: () => ({ 'data-label': column.title }) as HTMLAttributes<HTMLElement>,
  }));

/** A log of the member: filters, rows newest first, pages; every state in the place of the rows (DESIGN §4). */
export function LogPage<Row extends BaseRecord>(props: LogPageProps<Row>) {
  const { title, note, resource, timeField, columns, filters, empty } = props;
  const t = useTexts('logs');
  const table = useLogTable<Row>(resource, timeField);
  const { tableProps, tableQuery, currentPage, pageSize } = table;
  const rows = tableQuery.data?.data ?? [];
  const index: LogColumn<Row> = {
    key: 'index',
    title: t('index'),
    width: 72,
    render: (_value, _row, at) => <span className="num faint">{(currentPage - 1) * pageSize + at + 1}</span>,
  };
  return (
    <>
      <PageHeader title={title} note={note} />
      <section className="card lg-card" aria-busy={tableQuery.isFetching}>
        <LogFilterForm form={table.searchFormProps.form as FormInstance} query={table.query} onAsk={table.ask}>
          {filters}
        </LogFilterForm>
        {tableQuery.isError || rows.length === 0 ? (
          <LogMessage table={table} columns={columns} empty={empty} />
        ) : (
          <Table<Row>
            {...tableProps}
            className={tableQuery.isPlaceholderData ? 'lg-table stale' : 'lg-table'}
            rowKey="id"
            loading={false}
            scroll={{}}
            columns={labelled<Row>([index, ...columns])}
            pagination={{
              ...tableProps.pagination,
              position: ['bottomRight'],
              showSizeChanger: true,
              pageSizeOptions: [10, 20, 50, 100],
              showTotal: (total) => t('total', { n: grouped(total) }),
            }}
          />
        )}
      </section>
    </>
  );
}
