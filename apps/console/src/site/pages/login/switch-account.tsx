import { useUser } from '../../../shared/auth/stored-user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { Dialog } from '../../../shared/ui/dialog.js';

type SwitchProps = { onKeep: () => void; onSwitch: () => void };

/** Asks a signed-in user whether to switch to the account in the URL. */
export function SwitchAccount({ onKeep, onSwitch }: SwitchProps) {
  const t = useMessages('login');
  const user = useUser();
  return (
    <Dialog title={t('switchTitle')} onClose={onKeep}>
      <div className="dlg-body">
        <p>{t('switchWhy', { name: user?.nickname ?? t('thisAccount') })}</p>
      </div>
      <div className="dlg-foot">
        <button type="button" className="btn btn-d" data-first onClick={onKeep}>
          {t('switchKeep')}
        </button>
        <button type="button" className="btn btn-p" onClick={onSwitch}>
          {t('switchGo')}
        </button>
      </div>
    </Dialog>
  );
}
