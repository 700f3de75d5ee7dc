import { Button, type TableColumnType } from 'antd';
import { Link } from 'react-router';
import { type Translate, useMessages } from '../../../shared/i18n/messages.js';
import { useLanguages } from '../../shared/use-languages.js';
import { ListMessage } from '../../shared/logs/list-message.js';
import { type Column, labelled } from '../../shared/table/labelled.js';
import { ListTable } from '../../shared/table/list-table.js';
import { tickColumn } from '../../shared/table/tick-column.js';
import type { Selection } from '../../shared/table/use-selection.js';
import { Empty } from '../../../shared/ui/empty.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { Task } from './term-dialog.js';
import type { TermRow, TermTable } from './use-term-table.js';

type ColumnsOf = {
  selection: Selection<TermRow> | null;
  start: (task: Task) => void;
  t: Translate<'glossary'>;
  languageName: (code: string) => string;
};

/** The columns, each cell with its heading for phones; actions only for those who may change terms. */
function termColumns({ selection, start, t, languageName }: ColumnsOf): TableColumnType<TermRow>[] {
  const read: Column<TermRow>[] = [
    {
      key: 'term',
      title: t('term'),
      rowScope: 'row',
      render: (_, { term, source }) => (
        <span className="dynamic-text" lang={source}>
          {term}
        </span>
      ),
    },
    {
      key: 'translation',
      title: t('translation'),
      render: (_, { translation, target }) => (
        <span className="dynamic-text" lang={target}>
          {translation}
        </span>
      ),
    },
    {
      key: 'direction',
      title: t('direction'),
      render: (_, { source, target }) => (
        <span className="gl-pair">
          {languageName(source)}
          <Icon name="forward" />
          {languageName(target)}
        </span>
      ),
    },
    {
      key: 'updated',
      title: t('updated'),
      render: (_, { updateDateTime }) => <time className="lt-time">{updateDateTime}</time>,
    },
  ];
  const change: Column<TermRow> = {
    key: 'operate',
    title: t('operate'),
    render: (_, term) => (
      <div className="row-ops">
        <button
          type="button"
          aria-label={t('editNamed', { name: term.term })}
          onClick={() => start({ kind: 'edit', term })}
        >
          {t('edit')}
        </button>
        <button
          type="button"
          className="danger"
          aria-label={t('removeNamed', { name: term.term })}
          onClick={() => start({ kind: 'remove', terms: [term] })}
        >
          {t('remove')}
        </button>
      </div>
    ),
  };
  if (!selection) return labelled(read, 'gl');
  const ticks = tickColumn({
    selection,
    pageLabel: t('selectPage'),
    rowLabel: ({ term }) => t('selectOne', { name: term }),
  });
  return [ticks, ...labelled([...read, change], 'gl')];
}

type TermListProps = {
  table: TermTable;
  /** Null: the terms are read-only. */
  selection: Selection<TermRow> | null;
  start: (task: Task) => void;
};

function NoTerms({ table, selection, start }: TermListProps) {
  const t = useMessages('glossary');
  const say = useMessages('logs');
  if (table.isNarrowed)
    return (
      <Empty title={say('noMatch')} action={<Button onClick={() => table.setQuery({})}>{say('reset')}</Button>}>
        {t('noMatchWhy')}
      </Empty>
    );
  if (!selection)
    return (
      <Empty
        title={t('emptyTitle')}
        action={
          <Link className="button button-default" to="/UserCenterChangeTranslateTest">
            {t('translate')}
          </Link>
        }
      >
        {t('emptyChild')}
      </Empty>
    );
  return (
    <Empty
      title={t('emptyTitle')}
      action={
        <button type="button" className="button button-primary" onClick={() => start({ kind: 'add' })}>
          <Icon name="add" />
          {t('add')}
        </button>
      }
    >
      {t('emptyWhy')}
    </Empty>
  );
}

/** The rows of the page, or the message in their place. */
export function TermList({ table, selection, start }: TermListProps) {
  const t = useMessages('glossary');
  const { nameOf } = useLanguages();
  const { rows, tableQuery } = table;
  if (rows.length === 0)
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
    <ListTable<TermRow>
      list={table}
      label={t('tableLabel')}
      className="gl-table"
      rowKey="id"
      rowClassName={(term) => (selection?.isTicked(term) ? 'ant-table-row-selected' : '')}
      columns={termColumns({ selection, start, t, languageName: nameOf })}
    />
  );
}
