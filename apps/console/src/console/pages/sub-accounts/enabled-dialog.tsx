import { changeEnabled } from '@yiqiao/contracts/sub-accounts';
import { useEndpointMutation } from '../../../shared/api/use-endpoint.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { ConfirmDialog } from '../../../shared/dialogs/confirm-dialog.js';
import type { DialogFrame } from '../../../shared/dialogs/dialog-frame.js';
import type { ChildUser } from './child-user.js';
import { useRefreshFamily } from './use-family.js';

/** Confirms, then sets the opposite (specification §4). */
export function EnabledDialog({ frame, child }: { frame: DialogFrame; child: ChildUser }) {
  const t = useTexts('sub-accounts');
  const refresh = useRefreshFamily();
  const off = child.enabled === 1;
  const { mutate, isPending } = useEndpointMutation(changeEnabled, {
    successMessage: () => t('modified'),
    onSuccess: () => {
      refresh();
      frame.onClose();
    },
  });
  return (
    <ConfirmDialog
      frame={frame}
      title={
        <>
          {t(off ? 'disableTitle' : 'enableTitle')}
          <span className="dyn">{child.account}</span>
        </>
      }
      verb={t(off ? 'disableVerb' : 'enableVerb')}
      look={off ? 'danger' : 'usual'}
      busy={isPending}
      onConfirm={() => mutate({ userId: child.userId, enabled: off ? 0 : 1 })}
    >
      <p>{t(off ? 'disableWhy' : 'enableWhy')}</p>
    </ConfirmDialog>
  );
}
