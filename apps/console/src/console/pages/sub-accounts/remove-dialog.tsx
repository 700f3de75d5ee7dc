import { useDeleteMany } from '@refinedev/core';
import { refusalNotification } from '../../../shared/api/use-endpoint.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import { holdingOfAll, type ChildUser } from './child-user.js';

const NAMED = 6;

type RemoveDialogProps = {
  frame: DialogFrame;
  subAccounts: readonly ChildUser[];
  onRemoved: (count: number) => void;
};

/** Says what is lost and what comes back (decisions §3), then deletes one or several, all or none. */
export function RemoveDialog({ frame, subAccounts, onRemoved }: RemoveDialogProps) {
  const t = useTexts('sub-accounts');
  const { mutate, mutation } = useDeleteMany();
  const { usableCharNum, usableVoiceNum, usableImageNum } = holdingOfAll(subAccounts);
  const figures = [
    usableCharNum > 0 && t('figureChars', { n: grouped(usableCharNum) }),
    usableVoiceNum > 0 && t('figureVoice', { n: grouped(usableVoiceNum) }),
    usableImageNum > 0 && t('figureImages', { n: grouped(usableImageNum) }),
  ].filter((figure) => figure !== false);
  const names = subAccounts
    .slice(0, NAMED)
    .map(({ account }) => account)
    .join(t('separator'));
  const single = subAccounts.length === 1 ? subAccounts[0] : undefined;

  const remove = (): void =>
    mutate(
      {
        resource: 'childUsers',
        ids: subAccounts.map(({ userId }) => userId),
        invalidates: [], // live: what the provider publishes reads the lists again
        successNotification: { type: 'success', message: t('deleted') },
        errorNotification: refusalNotification,
      },
      {
        onSuccess: () => {
          onRemoved(subAccounts.length);
          frame.onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      frame={frame}
      title={
        single ? (
          <>
            {t('removeTitle')}
            <span className="dyn">{single.account}</span>
          </>
        ) : (
          t('removeManyTitle', { n: grouped(subAccounts.length) })
        )
      }
      verb={t('removeVerb')}
      look="danger"
      busy={mutation.isPending}
      onConfirm={remove}
    >
      {!single && (
        <p className="dyn">{subAccounts.length > NAMED ? t('removeMore', { names, n: subAccounts.length }) : names}</p>
      )}
      <p>{t('removeLost')}</p>
      <p>{figures.length === 0 ? t('removeNothing') : t('removeBack', { figures: figures.join(t('separator')) })}</p>
    </ConfirmDialog>
  );
}
