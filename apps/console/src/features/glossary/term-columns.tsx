import type { TableColumnType } from 'antd';
import type { HTMLAttributes } from 'react';
import type { T } from '../../shared/i18n/texts.js';
import { tickColumn } from '../../shared/table/tick-column.js';
import type { Selection } from '../../shared/table/use-selection.js';
import { Icon } from '../../shared/ui/icon.js';
import type { Task } from './term-dialog.js';
import type { TermRow } from './use-term-table.js';

type ColumnsOf = {
  selection: Selection<TermRow> | null;
  start: (task: Task) => void;
  t: T<'glossary'>;
  languageName: (code: string) => string;
};
type Column = TableColumnType<TermRow> & { title: string };

/** The columns, each cell knowing its heading for phones; what changes terms only for who may. */
export function termColumns({ selection, start, t, languageName }: ColumnsOf): TableColumnType<TermRow>[] {
  const read: Column[] = [
    {
      key: 'term',
      title: t('term'),
      render: (_, { term, source }) => (
        <span className="dyn" lang={source}>
          {term}
        </span>
      ),
    },
    {
      key: 'translation',
      title: t('translation'),
      render: (_, { translation, target }) => (
        <span className="dyn" lang={target}>
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
      render: (_, { updateDateTime }) => <time className="lg-time">{updateDateTime}</time>,
    },
  ];
  const change: Column = {
    key: 'operate',
    title: t('operate'),
    render: (_, term) => (
      <div className="gl-ops">
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
  const told = (column: Column): TableColumnType<TermRow> => ({
    ...column,
    className: `gl-${String(column.key)}`,
    onCell: () => ({ 'data-label': column.title }) as HTMLAttributes<HTMLElement>,
  });
  if (!selection) return read.map(told);
  const ticks = tickColumn({
    selection,
    pageLabel: t('selectPage'),
    rowLabel: ({ term }) => t('selectOne', { name: term }),
  });
  return [ticks, ...read.map(told), told(change)];
}
