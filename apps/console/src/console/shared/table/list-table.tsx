import type { BaseRecord } from '@refinedev/core';
import { Form, Pagination, Table, type FormInstance, type TableProps } from 'antd';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { PAGE_SIZES } from './list-address.js';
import { namedPages } from '../../../shared/antd/named-pages.js';
import { ListArea } from './list-area.js';
import type { ListTable as List } from './use-list-table.js';

type ListTableProps<Row> = Pick<TableProps<Row>, 'rowKey' | 'columns' | 'expandable' | 'rowClassName'> & {
  list: List<Row & BaseRecord>;
  /** The accessible name of the table. */
  label: string;
  className?: string;
  /** The text of the total; by default the number of rows. */
  totalText?: (total: number) => string;
};

/** Says that the rows on screen are out of date because a refetch failed. */
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

/** Says that there are new rows, and links to the first page, where they are. */
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
      {/* Without Refine's links: antd's items are focusable themselves, so each page would have two tab stops. */}
      <Pagination
        className="lt-pages"
        simple={simple ?? false}
        current={currentPage}
        pageSize={pageSize}
        total={total}
        itemRender={namedPages}
        onChange={list.turnTo}
        showSizeChanger
        showQuickJumper={total > 10 * pageSize}
        pageSizeOptions={PAGE_SIZES}
        showTotal={(n) => totalText?.(n) ?? t('total', { n: grouped(n) })}
      />
      {/* Refine's useTable creates a form, and antd warns about one that is not rendered; our filters do not use it. */}
      <Form form={list.searchFormProps.form as FormInstance} component={false} />
    </>
  );
}
