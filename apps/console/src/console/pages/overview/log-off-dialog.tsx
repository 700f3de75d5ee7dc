import { password as passwordRule } from '@yiqiao/contracts/fields';
import { deleteUser } from '@yiqiao/contracts/user';
import { Form, Modal } from 'antd';
import { endSession } from '../../../shared/api/session.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { useMember } from '../../../shared/auth/user.js';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { UsernameField } from '../../shared/form/username-field.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { grouped } from '../../../shared/amounts.js';
import { whileBusy, type DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { leaveFor } from '../../../shared/leave.js';
import { Icon } from '../../../shared/ui/icon.js';
import { PasswordInput } from '../../../shared/antd/password-input.js';

type Fields = { userPassword: string };
const FIELD_OF = { WRONG_PASSWORD: 'userPassword', WRONG_OLD_PASSWORD: 'userPassword' } as const;

/** Links the dialog's button to the form, so that Enter works as well. */
const FORM = 'log-off';

/** Explains what is lost and asks for the password. After a refusal it stays open with the typed password (specification §4, §8). */
export function LogOffDialog({ frame }: { frame: DialogFrame }) {
  const t = useMessages('overview');
  const { username, memberAccount: account } = useMember();
  const [form] = Form.useForm<Fields>();

  const { mutate, isPending } = useEndpointMutation(deleteUser, {
    successMessage: () => t('loggedOff'),
    onSuccess: async () => {
      endSession();
      await leaveFor('/home');
    },
    onError: refusalInto(form, FIELD_OF),
  });

  return (
    <Modal
      open={frame.open}
      width={480}
      title={<span className="display">{t('offLink')}</span>}
      okText={t('offConfirm')}
      {...whileBusy(isPending)}
      okButtonProps={{ danger: true, htmlType: 'submit', form: FORM }}
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
      afterOpenChange={(shown) => shown && form.focusField('userPassword')}
    >
      <div className="note warning">
        <Icon name="alert" />
        <div>
          <p>{t('offLost')}</p>
          <ul className="ov-lost">
            <li>{t('offChildren')}</li>
            <li>
              {t('offBalance', {
                chars: grouped(account.usableCharNum),
                voice: grouped(account.usableVoiceNum),
                images: grouped(account.usableImageNum),
              })}
            </li>
            <li>{t('offData')}</li>
          </ul>
        </div>
      </div>
      <Form<Fields>
        form={form}
        name={FORM}
        className="ov-off-form"
        layout="vertical"
        requiredMark={false}
        onFinish={mutate}
      >
        <UsernameField value={username} />
        <FormField
          name="userPassword"
          label={t('offPassword')}
          rules={[antdRule(byContract(passwordRule))]}
          style={{ marginBottom: 24 }}
        >
          <PasswordInput autoComplete="current-password" />
        </FormField>
      </Form>
    </Modal>
  );
}
