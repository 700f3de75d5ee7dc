import { deleteTerms } from '@yiqiao/contracts/glossary';
import { call } from '../../../shared/api/call.js';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import { toast } from '../../../shared/ui/toast.js';
import { useRefreshTerms, type TermRow } from './use-term-table.js';

type RemoveDialogProps = { frame: DialogFrame; terms: readonly TermRow[]; onRemoved: (count: number) => void };

/** Asks before terms are deleted, all or none. */
export function RemoveDialog({ frame, terms, onRemoved }: RemoveDialogProps) {
  const t = useTexts('glossary');
  const refresh = useRefreshTerms();
  const single = terms.length === 1 ? terms[0] : undefined;
  const remove = async (): Promise<void> => {
    const { count } = await call(deleteTerms, { ids: terms.map(({ id }) => id) });
    toast.success(t('deleted'));
    onRemoved(count);
    refresh();
    frame.onClose();
  };
  return (
    <ConfirmDialog
      frame={frame}
      title={
        single ? (
          <>
            {t('removeTitle')}
            <span className="dyn">{single.term}</span>
          </>
        ) : (
          t('removeManyTitle', { n: grouped(terms.length) })
        )
      }
      verb={t('removeVerb')}
      look="danger"
      onConfirm={remove}
    >
      <p>{t('removeWhy')}</p>
    </ConfirmDialog>
  );
}
