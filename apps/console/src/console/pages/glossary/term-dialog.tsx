import { lazy, Suspense } from 'react';
import { grouped } from '../../../shared/amounts.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { RemoveDialog } from '../../shared/dialogs/remove-dialog.js';
import { TermDrawer } from './term-drawer.js';
import type { TermQuery, TermRow } from './use-term-table.js';

/** The tasks of the page; each has its own dialog. */
export type Task =
  { kind: 'add' | 'import' } | { kind: 'edit'; term: TermRow } | { kind: 'remove'; terms: readonly TermRow[] };

/** Seldom needed, and with antd's upload heavier than the page: loaded when it opens. */
const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.js')).ImportDialog }));

type RemoveTermsProps = { frame: DialogFrame; terms: readonly TermRow[]; onRemoved: (count: number) => void };

function RemoveTerms({ frame, terms, onRemoved }: RemoveTermsProps) {
  const t = useMessages('glossary');
  const single = terms.length === 1 ? terms[0] : undefined;
  return (
    <RemoveDialog
      frame={frame}
      resource="terms"
      ids={terms.map(({ id }) => id)}
      messages={{
        title: single ? t('removeTitle') : t('removeManyTitle', { n: grouped(terms.length) }),
        verb: t('removeVerb'),
        deleted: t('deleted'),
      }}
      name={single?.term}
      onRemoved={onRemoved}
    >
      <p>{t('removeWhy')}</p>
    </RemoveDialog>
  );
}

type TermDialogProps = {
  task: Task;
  frame: DialogFrame;
  /** The languages of the current filter: likely those of a new term. */
  suggested: TermQuery;
  onRemoved: (count: number) => void;
};

/** The dialog of the current task. */
export function TermDialog({ task, frame, suggested, onRemoved }: TermDialogProps) {
  switch (task.kind) {
    case 'add':
      return <TermDrawer frame={frame} suggested={suggested} />;
    case 'edit':
      return <TermDrawer frame={frame} suggested={suggested} edited={task.term} />;
    case 'remove':
      return <RemoveTerms frame={frame} terms={task.terms} onRemoved={onRemoved} />;
    case 'import':
      return (
        <Suspense>
          <ImportDialog frame={frame} />
        </Suspense>
      );
  }
}
