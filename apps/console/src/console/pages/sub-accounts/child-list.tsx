import { useTexts } from '../../../shared/i18n/texts.js';
import { ListTable } from '../../../shared/table/list-table.js';
import type { Selection } from '../../../shared/table/use-selection.js';
import { childColumns } from './child-columns.js';
import { ChildListMessage } from './child-list-message.js';
import type { ChildUser } from './child-user.js';
import type { ChildTable } from './use-child-table.js';
import type { Task } from './use-tasks.js';

type ChildListProps = { table: ChildTable; selection: Selection<ChildUser>; start: (task: Task) => void };

/** The rows of the page, or what stands in their place. */
export function ChildList({ table, selection, start }: ChildListProps) {
  const t = useTexts('sub-accounts');
  const say = useTexts('logs');
  const { rows, currentPage, pageSize } = table;
  if (rows.length === 0) return <ChildListMessage table={table} onAdd={() => start({ kind: 'add' })} />;
  return (
    <ListTable<ChildUser>
      list={table}
      label={t('tableLabel')}
      className="sa-table"
      rowKey="userId"
      rowClassName={(child) => (selection.isTicked(child) ? 'ant-table-row-selected' : '')}
      columns={childColumns({
        selection,
        start,
        t,
        firstIndex: (currentPage - 1) * pageSize + 1,
        index: say('index'),
      })}
    />
  );
}
