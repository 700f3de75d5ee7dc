import { oldPassword as oldPasswordRule } from '@yiqiao/contracts/fields';
import { changePassword } from '@yiqiao/contracts/user';
import { Button, Form, Input } from 'antd';
import { useMember } from '../../../shared/auth/user.js';
import { antdRule, ON_BLUR_AND_SUBMIT } from '../../../shared/form/antd-rule.js';
import { byContract } from '../../../shared/form/rules.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { PasswordFields } from './password-fields.js';
import { usePasswordChange } from './use-password-change.js';

type Fields = { oldPassword: string; password: string; password2: string };

export function OldPasswordForm() {
  const t = useTexts('account');
  const { username } = useMember();
  const [form] = Form.useForm<Fields>();
  const { mutate, isPending } = usePasswordChange(changePassword, form);
  return (
    <Form<Fields>
      form={form}
      name="old-password"
      layout="vertical"
      requiredMark={false}
      onFinish={({ oldPassword, password }) => mutate({ oldPassword, password })}
    >
      {/* Lets a password manager know whose password changes. */}
      <input className="vh" type="text" autoComplete="username" value={username} readOnly tabIndex={-1} aria-hidden />
      <Form.Item
        name="oldPassword"
        label={t('oldPassword')}
        validateTrigger={ON_BLUR_AND_SUBMIT}
        rules={[antdRule(byContract(oldPasswordRule))]}
      >
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <PasswordFields />
      <Button type="primary" htmlType="submit" loading={isPending}>
        {t('submit')}
      </Button>
    </Form>
  );
}
