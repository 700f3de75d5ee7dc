import { signIn } from '@yiqiao/contracts/operator/session';
import { Button, Form, Input } from 'antd';
import { useLocation, useNavigate } from 'react-router';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { PasswordInput } from '../../../shared/antd/password-input.js';
import { refusalInto } from '../../../shared/antd/refusal-into.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { Gate } from './gate.js';
import { PasskeyButton } from './passkey-button.js';

type Fields = { name: string; password: string };

/** The first step. Whatever name and password were, the second asks for the code (operators §2). */
export default function SignInPage() {
  const t = useMessages('sign-in');
  const { search } = useLocation();
  const navigate = useNavigate();
  const [form] = Form.useForm<Fields>();
  const { mutate, isPending } = useEndpointMutation(signIn, {
    onSuccess: () => navigate(`/sign-in/code${search}`),
    onError: refusalInto(form, { LOGIN_LOCKED: 'password' }),
  });
  return (
    <Gate title={t('signInTitle')} note={t('signInNote')} steps={[t('stepPassword'), t('stepCode')]}>
      <Form form={form} name="sign-in" layout="vertical" requiredMark={false} onFinish={mutate}>
        <FormField name="name" label={t('name')} rules={[antdRule(byContract(signIn.request.shape.name))]}>
          <Input size="large" autoComplete="username" autoCapitalize="none" spellCheck={false} autoFocus />
        </FormField>
        <FormField
          name="password"
          label={t('password')}
          extra={t('lockNote')}
          rules={[antdRule(byContract(signIn.request.shape.password))]}
        >
          <PasswordInput size="large" autoComplete="current-password" />
        </FormField>
        <Button type="primary" size="large" htmlType="submit" block loading={isPending}>
          {t('next')}
        </Button>
      </Form>
      <PasskeyButton />
      <p className="muted gate-help">{t('lost')}</p>
    </Gate>
  );
}
