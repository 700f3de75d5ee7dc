import { deleteChildUsers } from '@yiqiao/contracts/sub-accounts';
import { call } from '../../../shared/api/call.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { grouped } from '../../../shared/ledger/amount-text.js';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import { toast } from '../../../shared/ui/toast.js';
import { holdingOfAll, type ChildUser } from './child-user.js';
import { useRefreshFamily } from './use-family.js';

const NAMED = 6;

type RemoveDialogProps = {
  frame: DialogFrame;
  victims: readonly ChildUser[];
  onRemoved: (count: number) => void;
};

/** Says what is lost and what comes back (decisions §3), then deletes one or several, all or none. */
export function RemoveDialog({ frame, victims, onRemoved }: RemoveDialogProps) {
  const t = useTexts('sub-accounts');
  const refresh = useRefreshFamily();
  const { usableCharNum, usableVoiceNum, usableImageNum } = holdingOfAll(victims);
  const figures = [
    usableCharNum > 0 && t('figureChars', { n: grouped(usableCharNum) }),
    usableVoiceNum > 0 && t('figureVoice', { n: grouped(usableVoiceNum) }),
    usableImageNum > 0 && t('figureImages', { n: grouped(usableImageNum) }),
  ].filter((figure) => figure !== false);
  const names = victims
    .slice(0, NAMED)
    .map(({ account }) => account)
    .join(t('separator'));
  const single = victims.length === 1 ? victims[0] : undefined;

  const remove = async (): Promise<void> => {
    const childrenIds = victims.map(({ userId }) => userId);
    const { count } = await call(deleteChildUsers, single ? { userId: single.userId } : { childrenIds });
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
            <span className="dyn">{single.account}</span>
          </>
        ) : (
          t('removeManyTitle', { n: grouped(victims.length) })
        )
      }
      verb={t('removeVerb')}
      look="danger"
      onConfirm={remove}
    >
      {!single && (
        <p className="dyn">{victims.length > NAMED ? t('removeMore', { names, n: victims.length }) : names}</p>
      )}
      <p>{t('removeLost')}</p>
      <p>{figures.length === 0 ? t('removeNothing') : t('removeBack', { figures: figures.join(t('separator')) })}</p>
    </ConfirmDialog>
  );
}
