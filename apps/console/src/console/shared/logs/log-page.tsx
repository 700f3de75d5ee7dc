import type { BaseRecord } from '@refinedev/core';
import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { FILTERED_ROWS_MAX } from '@yiqiao/domain/limits';
import { Table } from 'antd';
import type { ReactNode } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import type { ResourceName } from '../resources.js';
import { labelled, type Column } from '../table/labelled.js';
import { ListTable } from '../table/list-table.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { DownloadButton } from './download-button.js';
import { LogFilterForm } from './log-filter-form.js';
import { LogMessage, type EmptyLog } from './log-message.js';
import { endsAtArchive, isBounded, parametersOf, type TimeField } from './log-query.js';
import type { TotalsOf } from './log-totals.js';
import { rowDetails } from './row-details.js';
import { useLogTable } from './use-log-table.js';
import './log-page.css';

type LogPageProps<Row> = {
  title: string;
  note: string;
  resource: ResourceName;
  timeField: TimeField;
  columns: Column<Row>[];
  /** Form.Items for filters specific to this log. */
  filters?: ReactNode;
  /** The same table as a file. */
  file: Endpoint;
  empty: EmptyLog;
  /** The sums of the filter, above the rows. */
  totals?: (of: TotalsOf) => ReactNode;
  /** The details that open below a row. */
  details?: (row: Row) => ReactNode;
};

/** A wire time; in narrow columns the time is below the date. */
export function LogTime({ at }: { at: string }) {
  const [day, clock] = at.split(' ');
  return (
    <time className="lt-time">
      {day} <span>{clock}</span>
    </time>
  );
}

/** A log of the member: filters, rows newest first, pagination; states replace the rows (DESIGN §4). */
export function LogPage<Row extends BaseRecord>(props: LogPageProps<Row>) {
  const { title, note, resource, timeField, columns, filters, file, empty, totals, details } = props;
  const t = useMessages('logs');
  const table = useLogTable<Row>(resource, timeField);
  const { tableQuery, rows, total, currentPage, pageSize } = table;
  const bounded = isBounded(table.query, total);
  const most = grouped(FILTERED_ROWS_MAX);
  const archivedUntil: unknown = tableQuery.data?.['archivedUntil'];
  const numberOf = (at: number): number => (currentPage - 1) * pageSize + at + 1;
  const index: Column<Row> = {
    key: 'index',
    className: 'lt-index',
    title: t('index'),
    width: 72,
    render: (_value, _row, at) => <span className="numeric faint">{numberOf(at)}</span>,
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
      <section className="card lt-card" aria-busy={tableQuery.isFetching}>
        <LogFilterForm query={table.query} onQuery={table.setQuery} withApi={resource !== 'loginLogs'}>
          {filters}
        </LogFilterForm>
        {rows.length > 0 && totals && (
          <div className="lg-totals">{totals({ input: parametersOf(table.query, timeField), total })}</div>
        )}
        {rows.length === 0 ? (
          <LogMessage table={table} columns={columns.length + 1} empty={empty} />
        ) : (
          <ListTable<Row>
            list={table}
            label={title}
            rowKey="id"
            className="lg-table"
            columns={[...labelled<Row>([index, ...columns]), ...(details ? [Table.EXPAND_COLUMN] : [])]}
            {...(details
              ? {
                  expandable: rowDetails({
                    render: details,
                    columnTitle: <span className="visually-hidden">{t('details')}</span>,
                    nameOf: (row) => t('rowName', { n: numberOf(rows.indexOf(row)), time: String(row[timeField]) }),
                  }),
                }
              : {})}
            totalText={(n) => (bounded ? t('totalBounded', { n: most }) : t('total', { n: grouped(n) }))}
          />
        )}
        {endsAtArchive(table.query, archivedUntil) && (
          <p className="lg-archived">{t('archived', { time: archivedUntil })}</p>
        )}
      </section>
    </>
  );
}
