import { Modal } from 'antd';
import type { DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { PasswordForms } from './password-forms.js';

/** The forms of /UserCenterChangePassword as a dialog (specification §2: one of the modals). */
export function PasswordDialog({ frame }: { frame: DialogFrame }) {
  const t = useMessages('account');
  return (
    <Modal
      open={frame.open}
      width={480}
      title={<span className="display">{t('passwordTitle')}</span>}
      footer={null}
      maskClosable={false}
      destroyOnHidden
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
    >
      <p className="faint">{t('passwordNote')}</p>
      <div className="ac-password in-dialog">
        <PasswordForms />
      </div>
    </Modal>
  );
}
