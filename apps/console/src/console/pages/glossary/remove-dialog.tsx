import { useDeleteMany } from '@refinedev/core';
import { refusalNotification } from '../../shared/api/use-endpoint.js';
import { useSingleSubmit } from '../../shared/api/use-single-submit.js';
import { ConfirmDialog } from '../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import type { TermRow } from './use-term-table.js';

type RemoveDialogProps = { frame: DialogFrame; terms: readonly TermRow[]; onRemoved: (count: number) => void };

/** Confirms before terms are deleted, all or none. */
export function RemoveDialog({ frame, terms, onRemoved }: RemoveDialogProps) {
  const t = useMessages('glossary');
  const { mutateAsync, mutation } = useDeleteMany();
  const single = terms.length === 1 ? terms[0] : undefined;
  const remove = useSingleSubmit(async () => {
    await mutateAsync({
      resource: 'terms',
      ids: terms.map(({ id }) => id),
      successNotification: { type: 'success', message: t('deleted') },
      errorNotification: refusalNotification,
    });
    onRemoved(terms.length);
    frame.onClose();
  });
  return (
    <ConfirmDialog
      frame={frame}
      title={
        single ? (
          <>
            {t('removeTitle')}
            <span className="dynamic-text">{single.term}</span>
          </>
        ) : (
          t('removeManyTitle', { n: grouped(terms.length) })
        )
      }
      verb={t('removeVerb')}
      look="danger"
      busy={mutation.isPending}
      onConfirm={remove}
    >
      <p>{t('removeWhy')}</p>
    </ConfirmDialog>
  );
}
