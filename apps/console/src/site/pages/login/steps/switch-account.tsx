import { useUser } from '../../../../shared/auth/stored-user.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { Dialog } from '../../../../shared/ui/dialog.js';

type SwitchProps = { onKeep: () => void; onSwitch: () => void };

/** Asks a signed-in user whether to switch to the account in the URL. */
export function SwitchAccount({ onKeep, onSwitch }: SwitchProps) {
  const t = useMessages('steps');
  const user = useUser();
  return (
    <Dialog title={t('switchTitle')} onClose={onKeep}>
      <div className="dialog-body">
        <p>{t('switchWhy', { name: user?.nickname ?? t('thisAccount') })}</p>
      </div>
      <div className="dialog-footer">
        <button type="button" className="button button-default" data-first onClick={onKeep}>
          {t('switchKeep')}
        </button>
        <button type="button" className="button button-primary" onClick={onSwitch}>
          {t('switchGo')}
        </button>
      </div>
    </Dialog>
  );
}
