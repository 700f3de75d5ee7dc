import type { BaseRecord } from '@refinedev/core';
import { Form, Pagination, Table, type FormInstance, type TableProps } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { ListArea } from './list-area.js';
import type { ListTable as List } from './use-list-table.js';

const SIZES = [10, 20, 50, 100];

type ListTableProps<Row> = Pick<TableProps<Row>, 'rowKey' | 'columns' | 'expandable' | 'rowClassName'> & {
  list: List<Row & BaseRecord>;
  /** What the rows are. */
  label: string;
  className?: string;
  /** How many there are; left out: the number. */
  totalText?: (total: number) => string;
};

/** Rows that stayed on screen although they could not be read again. */
function Stale({ list }: { list: Pick<List<BaseRecord>, 'tableQuery'> }) {
  const t = useMessages('logs');
  return (
    <p className="lt-stale" role="status">
      {t('stale')}
      <button type="button" className="link" onClick={() => void list.tableQuery.refetch()}>
        {t('again')}
      </button>
    </p>
  );
}

/** New rows are on the first page: those on screen stay until the member turns to it. */
function NewRows({ list }: { list: Pick<List<BaseRecord>, 'newRows' | 'turnTo' | 'pageSize'> }) {
  const t = useMessages('logs');
  return (
    <div role="status">
      {list.newRows && (
        <p className="lt-new">
          {t('newRows')}
          <button type="button" className="link" onClick={() => list.turnTo(1, list.pageSize)}>
            {t('showNewRows')}
          </button>
        </p>
      )}
    </div>
  );
}

/** The rows of a Refine list and its pagination. A list without rows is a ListMessage. */
export function ListTable<Row extends BaseRecord>(props: ListTableProps<Row>) {
  const { list, label, className = '', totalText, ...table } = props;
  const t = useMessages('logs');
  const { tableProps, tableQuery, rows, total, currentPage, pageSize } = list;
  const { simple } = tableProps.pagination || {};
  return (
    <>
      {tableQuery.isError && <Stale list={list} />}
      <NewRows list={list} />
      <ListArea label={label}>
        <Table<Row>
          {...table}
          className={`lt-table ${className} ${tableQuery.isPlaceholderData ? 'stale' : ''}`}
          dataSource={[...rows]}
          pagination={false}
        />
      </ListArea>
      {/* Without Refine's links: antd's items have the keyboard themselves, and each page would stop it twice. */}
      <Pagination
        className="lt-pages"
        simple={simple ?? false}
        current={currentPage}
        pageSize={pageSize}
        total={total}
        onChange={list.turnTo}
        showSizeChanger
        showQuickJumper={total > 10 * pageSize}
        pageSizeOptions={SIZES}
        showTotal={(n) => totalText?.(n) ?? t('total', { n: grouped(n) })}
      />
      {/* Refine makes a form with every list; ours ask by themselves, and antd complains about a form that nothing shows. */}
      <Form form={list.searchFormProps.form as FormInstance} component={false} />
    </>
  );
}
