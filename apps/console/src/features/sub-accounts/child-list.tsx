import { Table } from 'antd';
import { useTexts } from '../../shared/i18n/texts.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import type { Selection } from '../../shared/table/use-selection.js';
import { childColumns } from './child-columns.js';
import { ChildListMessage } from './child-list-message.js';
import type { ChildUser } from './child-user.js';
import type { ChildTable } from './use-child-table.js';
import type { Task } from './use-tasks.js';
import '../../shared/logs/log-page.css';

type ChildListProps = { table: ChildTable; selection: Selection<ChildUser>; start: (task: Task) => void };

/** The rows of the page, or what stands in their place. */
export function ChildList({ table, selection, start }: ChildListProps) {
  const t = useTexts('sub-accounts');
  const say = useTexts('logs');
  const { rows, total, tableQuery, currentPage, pageSize } = table;
  if (tableQuery.isError || rows.length === 0)
    return <ChildListMessage table={table} onAdd={() => start({ kind: 'add' })} />;
  return (
    <Table<ChildUser>
      className={`lg-table sa-table ${tableQuery.isPlaceholderData ? 'stale' : ''}`}
      aria-label={t('tableLabel')}
      rowKey="userId"
      rowClassName={(child) => (selection.isTicked(child) ? 'ant-table-row-selected' : '')}
      dataSource={rows}
      columns={childColumns({
        selection,
        start,
        t,
        firstIndex: (currentPage - 1) * pageSize + 1,
        index: say('index'),
      })}
      pagination={{
        current: currentPage,
        pageSize,
        total,
        onChange: table.turnTo,
        position: ['bottomRight'],
        showSizeChanger: true,
        showQuickJumper: total > 10 * pageSize,
        pageSizeOptions: [10, 20, 50, 100],
        showTotal: (n) => say('total', { n: grouped(n) }),
      }}
    />
  );
}
