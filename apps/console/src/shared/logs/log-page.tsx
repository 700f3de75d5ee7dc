import type { BaseRecord } from '@refinedev/core';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { FILTERED_ROWS_MAX } from '@yiqiao/domain/limits';
import { Table, type FormInstance, type TableColumnType } from 'antd';
import type { HTMLAttributes, ReactNode } from 'react';
import { useTexts } from '../i18n/texts.js';
import { grouped } from '../ledger/amount-text.js';
import { PageHeader } from '../ui/console/page-header.js';
import { DownloadButton } from './download-button.js';
import { LogFilterForm } from './log-filter-form.js';
import { LogMessage, type EmptyLog } from './log-message.js';
import { isBounded, parametersOf, type TimeField } from './log-query.js';
import { rowDetails } from './row-details.js';
import { useLogTable } from './use-log-table.js';
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
  /** The same table as a file. */
  file: Endpoint;
  empty: EmptyLog;
  /** What opens below a row. */
  details?: (row: Row) => ReactNode;
};

/** Each cell knows its heading, so that on a phone a row can be read as a list (log-page.css). */
const labelled = <Row,>(columns: LogColumn<Row>[]): LogColumn<Row>[] =>
  columns.map((column) => ({
    ...column,
    onCell: () => ({ 'data-label': column.title }) as HTMLAttributes<HTMLElement>,
  }));

/** A log of the member: filters, rows newest first, pages; every state in the place of the rows (DESIGN §4). */
export function LogPage<Row extends BaseRecord>(props: LogPageProps<Row>) {
  const { title, note, resource, timeField, columns, filters, file, empty, details } = props;
  const t = useTexts('logs');
  const table = useLogTable<Row>(resource, timeField);
  const { tableProps, tableQuery, currentPage, pageSize } = table;
  const rows = tableQuery.data?.data ?? [];
  const bounded = isBounded(table.query, tableQuery.data?.total ?? 0);
  const most = grouped(FILTERED_ROWS_MAX);
  const index: LogColumn<Row> = {
    key: 'index',
    title: t('index'),
    width: 72,
    render: (_value, _row, at) => <span className="num faint">{(currentPage - 1) * pageSize + at + 1}</span>,
  };
  return (
    <>
      <PageHeader title={title} note={note}>
        <DownloadButton
          endpoint={file}
          query={parametersOf(table.query, timeField)}
          disabled={rows.length === 0}
          note={bounded ? t('downloadBounded', { n: most }) : null}
        />
      </PageHeader>
      <section className="card lg-card" aria-busy={tableQuery.isFetching}>
        <LogFilterForm form={table.searchFormProps.form as FormInstance} query={table.query} onAsk={table.ask}>
          {filters}
        </LogFilterForm>
        {tableQuery.isError || rows.length === 0 ? (
          <LogMessage table={table} columns={columns.length + 1} empty={empty} />
        ) : (
          <Table<Row>
            {...tableProps}
            className={tableQuery.isPlaceholderData ? 'lg-table stale' : 'lg-table'}
            rowKey="id"
            loading={false}
            scroll={{}}
            columns={[...labelled<Row>([index, ...columns]), ...(details ? [Table.EXPAND_COLUMN] : [])]}
            {...(details ? { expandable: rowDetails(details) } : {})}
            pagination={{
              ...tableProps.pagination,
              position: ['bottomRight'],
              showSizeChanger: true,
              pageSizeOptions: [10, 20, 50, 100],
              showTotal: (total) => (bounded ? t('totalBounded', { n: most }) : t('total', { n: grouped(total) })),
            }}
          />
        )}
      </section>
    </>
  );
}
