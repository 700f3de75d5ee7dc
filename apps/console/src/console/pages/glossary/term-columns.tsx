import type { TableColumnType } from 'antd';
import type { T } from '../../../shared/i18n/texts.js';
import { labelled, type Column } from '../../../shared/table/labelled.js';
import { tickColumn } from '../../../shared/table/tick-column.js';
import type { Selection } from '../../../shared/table/use-selection.js';
import { Icon } from '../../../shared/ui/icon.js';
import type { Task } from './term-dialog.js';
import type { TermRow } from './use-term-table.js';

type ColumnsOf = {
  selection: Selection<TermRow> | null;
  start: (task: Task) => void;
  t: T<'glossary'>;
  languageName: (code: string) => string;
};

/** The columns, each cell knowing its heading for phones; what changes terms only for who may. */
export function termColumns({ selection, start, t, languageName }: ColumnsOf): TableColumnType<TermRow>[] {
  const read: Column<TermRow>[] = [
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
