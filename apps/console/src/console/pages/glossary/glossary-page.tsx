import { exportTerms, TERMS_AT_ONCE } from '@yiqiao/contracts/glossary';
import { GLOSSARY_TERMS_MAX } from '@yiqiao/domain/limits';
import { Button } from 'antd';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { useTask } from '../../shared/dialogs/use-task.js';
import { DownloadButton } from '../../shared/logs/download-button.js';
import { BulkBar, ListBar } from '../../shared/table/bulk-bar.js';
import { SearchBox } from '../../../shared/antd/search-box.js';
import { useSelection } from '../../shared/table/use-selection.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { Icon } from '../../../shared/ui/icon.js';
import { LanguageField } from './language-field.js';
import { TermDialog, type Task } from './term-dialog.js';
import { TermList } from './term-list.js';
import { useTermTable, type TermTable } from './use-term-table.js';
import './glossary.css';

function Filters({ table: { query, setQuery } }: { table: TermTable }) {
  const t = useMessages('glossary');
  const language = (field: 'source' | 'target') => ({
    className: 'gl-language',
    optional: true,
    value: query[field],
    onChange: (code: string | undefined) => setQuery({ ...query, [field]: code ?? '' }),
  });
  return (
    <div className="gl-filters">
      <SearchBox
        label={t('search')}
        value={query.keyword ?? ''}
        onSearch={(keyword) => keyword.trim() !== (query.keyword ?? '') && setQuery({ ...query, keyword })}
      />
      <LanguageField label={t('sourceFilter')} placeholder={t('anySource')} {...language('source')} />
      <LanguageField label={t('targetFilter')} placeholder={t('anyTarget')} {...language('target')} />
    </div>
  );
}

/** /UserCenterGlossary: the family's terms. Main accounts change them, sub-accounts read them (docs/decisions/0019). */
export default function GlossaryPage() {
  const t = useMessages('glossary');
  const editable = isMain(useMember());
  const table = useTermTable();
  const selection = useSelection({
    question: JSON.stringify(table.query),
    rows: table.rows,
    idOf: ({ id }) => id,
  });
  const { task, round, frame, start } = useTask<Task>();
  const removed = (count: number): void => {
    selection.clear();
    table.leaveEmptyPage(count);
  };
  const { count } = table;
  const isEmpty = count === 0; // the empty state then has the primary button
  return (
    <>
      <PageHeader
        title={t('title')}
        note={count === null ? t('noteLoading') : t('note', { n: grouped(count), max: grouped(GLOSSARY_TERMS_MAX) })}
      >
        <DownloadButton endpoint={exportTerms} query={table.query} disabled={table.total === 0} note={null} />
        {editable && (
          <>
            <Button icon={<Icon name="upload" />} onClick={() => start({ kind: 'import' })}>
              {t('import')}
            </Button>
            <button
              type="button"
              className={isEmpty ? 'button button-default' : 'button button-primary'}
              onClick={() => start({ kind: 'add' })}
            >
              <Icon name="add" />
              {t('add')}
            </button>
          </>
        )}
      </PageHeader>
      <section className="card lt-card" aria-label={t('tableLabel')} aria-busy={table.tableQuery.isFetching}>
        <ListBar>
          <Filters table={table} />
          {editable && !isEmpty && (
            <BulkBar
              selection={selection}
              most={TERMS_AT_ONCE}
              none={t('noneSelected')}
              tooMany={t('tooManySelected', { n: TERMS_AT_ONCE })}
              onDelete={(terms) => start({ kind: 'remove', terms })}
            />
          )}
        </ListBar>
        <TermList table={table} selection={editable ? selection : null} start={start} />
      </section>
      {task && <TermDialog key={round} task={task} frame={frame} suggested={table.query} onRemoved={removed} />}
    </>
  );
}
