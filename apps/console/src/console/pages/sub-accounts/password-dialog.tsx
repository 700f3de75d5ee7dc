import { password as passwordField } from '@yiqiao/contracts/fields';
import { resetChildPassword } from '@yiqiao/contracts/sub-accounts';
import { Form, Modal } from 'antd';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { UsernameField } from '../../shared/form/username-field.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import type { Rule } from '../../../shared/form/rules.js';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { whileBusy, type DialogFrame } from '../../shared/dialogs/dialog-frame.js';
import { PasswordInput } from '../../../shared/antd/password-input.js';
import type { ChildUser } from './child-user.js';

type Fields = { password: string; password2: string };

const wellFormed = byContract(passwordField);
/** 6–32 and equal once trimmed, because it is trimmed before it is sent (specification §5). */
const trimmed: Rule = (typed, values) => wellFormed(typed.trim(), values);
const repeated: Rule = (typed, values) =>
  typed.trim() === '' ? 'PASSWORD_AGAIN' : typed.trim() === values['password']?.trim() ? null : 'PASSWORD_DIFFERS';

/** A new password for a sub-account; it is logged out everywhere (decisions §2). */
export function PasswordDialog({ frame, child }: { frame: DialogFrame; child: ChildUser }) {
  const t = useMessages('sub-accounts');
  const [form] = Form.useForm<Fields>();
  const name = child.account;
  const { mutate, isPending } = useEndpointMutation(resetChildPassword, {
    successMessage: () => t('passwordDone', { name }),
    onSuccess: frame.onClose,
    onError: refusalInto(form),
  });
  return (
    <Modal
      open={frame.open}
      width={440}
      title={<span className="display">{t('passwordTitle')}</span>}
      okText={t('passwordVerb')}
      {...whileBusy(isPending)}
      onOk={() => form.submit()}
      onCancel={frame.onClose}
      afterClose={frame.afterClose}
      afterOpenChange={(shown) => shown && form.focusField('password')}
    >
      <Form<Fields>
        form={form}
        name="child-password"
        className="sa-form"
        layout="vertical"
        requiredMark={false}
        onFinish={({ password }) => mutate({ userId: child.userId, password: password.trim() })}
      >
        <p className="muted">{t('passwordWhy', { name })}</p>
        <UsernameField value={name} />
        <FormField name="password" label={t('newPassword')} extra={t('passwordHint')} rules={[antdRule(trimmed)]}>
          <PasswordInput autoComplete="new-password" />
        </FormField>
        <FormField
          name="password2"
          label={t('repeat')}
          rules={[
            ({ getFieldValue }) => antdRule(repeated, () => ({ password: String(getFieldValue('password') ?? '') })),
          ]}
        >
          <PasswordInput autoComplete="new-password" />
        </FormField>
        {/* Enter in a field sends; the button that is seen stands in the dialog's foot. */}
        <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />
      </Form>
    </Modal>
  );
}
