import { Button, Table } from 'antd';
import { useTexts } from '../../shared/i18n/texts.js';
import { useLanguages } from '../../shared/languages/use-languages.js';
import { grouped } from '../../shared/ledger/amount-text.js';
import { ListMessage } from '../../shared/logs/list-message.js';
import type { Selection } from '../../shared/table/use-selection.js';
import { Empty } from '../../shared/ui/empty.js';
import { Icon } from '../../shared/ui/icon.js';
import { termColumns } from './term-columns.js';
import type { Task } from './term-dialog.js';
import type { TermRow, TermTable } from './use-term-table.js';
import '../../shared/logs/log-page.css';

type TermListProps = {
  table: TermTable;
  /** Null: terms are only read here. */
  selection: Selection<TermRow> | null;
  start: (task: Task) => void;
};

function NoTerms({ table, selection, start }: TermListProps) {
  const t = useTexts('glossary');
  const say = useTexts('logs');
  if (table.isNarrowed)
    return (
      <Empty title={say('noMatch')} action={<Button onClick={() => table.ask({})}>{say('reset')}</Button>}>
        {t('noMatchWhy')}
      </Empty>
    );
  if (!selection) return <Empty title={t('emptyTitle')}>{t('emptyChild')}</Empty>;
  return (
    <Empty
      title={t('emptyTitle')}
      action={
        <button type="button" className="btn btn-p" onClick={() => start({ kind: 'add' })}>
          <Icon name="add" />
          {t('add')}
        </button>
      }
    >
      {t('emptyWhy')}
    </Empty>
  );
}

/** The rows of the page, or what stands in their place. */
export function TermList({ table, selection, start }: TermListProps) {
  const t = useTexts('glossary');
  const say = useTexts('logs');
  const { nameOf } = useLanguages();
  const { rows, total, tableQuery, currentPage, pageSize } = table;
  if (tableQuery.isError || rows.length === 0)
    return (
      <ListMessage
        query={tableQuery}
        skeleton={{ rows: 10, columns: selection ? 6 : 4 }}
        failed={{ title: t('failed'), why: (why) => t('failedWhy', { why }) }}
        toFirst={() => table.setCurrentPage(1)}
      >
        <NoTerms table={table} selection={selection} start={start} />
      </ListMessage>
    );
  return (
    <Table<TermRow>
      className={`lg-table gl-table ${tableQuery.isPlaceholderData ? 'stale' : ''}`}
      aria-label={t('tableLabel')}
      rowKey="id"
      rowClassName={(term) => (selection?.isTicked(term) ? 'ant-table-row-selected' : '')}
      dataSource={rows}
      columns={termColumns({ selection, start, t, languageName: nameOf })}
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
