import type { Endpoint } from '@yiqiao/contracts/endpoint';
import { oldPassword as oldPasswordRule, password, vcode as vcodeRule } from '@yiqiao/contracts/fields';
import { resetPwdByVcode, sendVCode } from '@yiqiao/contracts/login';
import { changePassword } from '@yiqiao/contracts/user';
import { VCODE_DIGITS, VCODE_RESEND_SECONDS } from '@yiqiao/domain/limits';
import { Button, Form, type FormInstance, Input, Tabs } from 'antd';
import { ApiError, messageOf } from '../../../shared/api/api-error.js';
import { endSession } from '../../../shared/api/session.js';
import { showRefusal } from '../../../shared/api/show-refusal.js';
import { useEndpointMutation } from '../../../shared/refine/use-endpoint.js';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { antdRule, FormField } from '../../../shared/antd/form-field.js';
import { UsernameField } from '../../shared/form/username-field.js';
import { byContract } from '../../../shared/form/contract-rules.js';
import { type Rule, sameAs } from '../../../shared/form/rules.js';
import { useCountdown } from '../../../shared/form/use-countdown.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { leaveFor } from '../../../shared/leave.js';
import { toast } from '../../../shared/ui/toast.js';
import { PasswordInput } from '../../../shared/antd/password-input.js';

/** The field at which a refusal is shown. */
const FIELD_OF: Readonly<Record<string, string>> = {
  WRONG_OLD_PASSWORD: 'oldPassword',
  VCODE_WRONG: 'vcode',
  VCODE_EXPIRED: 'vcode',
};

const showInForm = (error: unknown, form: FormInstance): void => {
  const why = messageOf(error);
  if (why === null) return;
  const { code, errors } = error as ApiError;
  const field = FIELD_OF[code];
  if (field !== undefined) form.setFields([{ name: field, errors: [why] }]);
  else if (errors.length > 0) form.setFields(errors.map((e) => ({ name: e.path, errors: [e.msg] })));
  else toast.error(why);
};

/**
 * Changes the password. Success ends every session: shows a message, signs out and goes home (specification §4, §8). A refusal
 * is shown in the form.
 */
function usePasswordChange<E extends Endpoint>(endpoint: E, form: FormInstance) {
  const t = useMessages('account');
  return useEndpointMutation(endpoint, {
    successMessage: () => t('done'),
    onSuccess: async () => {
      endSession();
      await leaveFor('/home');
    },
    onError: (error) => showInForm(error, form),
  });
}

const newPassword = antdRule(byContract(password));
const same = sameAs('password');
const repeated: Rule = (typed, values) => (typed === '' ? 'PASSWORD_AGAIN' : same(typed, values));

/** The new password and its repetition, the same in both tabs. */
function PasswordFields() {
  const t = useMessages('account');
  return (
    <>
      <FormField name="password" label={t('newPassword')} extra={t('advice')} rules={[newPassword]}>
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
    </>
  );
}

type OldPasswordFields = { oldPassword: string; password: string; password2: string };

function OldPasswordForm() {
  const t = useMessages('account');
  const { username } = useMember();
  const [form] = Form.useForm<OldPasswordFields>();
  const { mutate, isPending } = usePasswordChange(changePassword, form);
  return (
    <Form<OldPasswordFields>
      form={form}
      name="old-password"
      layout="vertical"
      requiredMark={false}
      onFinish={({ oldPassword, password }) => mutate({ oldPassword, password })}
    >
      <UsernameField value={username} />
      <FormField name="oldPassword" label={t('oldPassword')} rules={[antdRule(byContract(oldPasswordRule))]}>
        <PasswordInput autoComplete="current-password" />
      </FormField>
      <PasswordFields />
      <Button type="primary" htmlType="submit" loading={isPending}>
        {t('submit')}
      </Button>
    </Form>
  );
}

const wellFormed = byContract(vcodeRule);
const codeRule: Rule = (typed, values) => (typed.trim() === '' ? 'VCODE_REQUIRED' : wellFormed(typed, values));

type CodeFields = { vcode: string; password: string; password2: string };

/** Sends a code to the account's own address; 60 seconds before the next one (specification §4, decisions §3). */
function SendButton({ email }: { email: string }) {
  const t = useMessages('account');
  const { count, running, start } = useCountdown();
  const { mutate, isPending } = useEndpointMutation(sendVCode, {
    successMessage: () => t('sent'),
    onSuccess: () => start(VCODE_RESEND_SECONDS),
    onError: (error) => {
      showRefusal(error);
      const wait = error instanceof ApiError ? error.retryAfterSeconds : null;
      if (wait !== null) start(wait);
    },
  });
  return (
    <Button loading={isPending} disabled={running} onClick={() => mutate({ account: email })}>
      {running ? t('resend', { n: count }) : t(isPending ? 'sending' : 'send')}
    </Button>
  );
}

/** For main accounts: a mailed code instead of the old password. */
function EmailForm() {
  const t = useMessages('account');
  const { account } = useMember();
  const [form] = Form.useForm<CodeFields>();
  const { mutate, isPending } = usePasswordChange(resetPwdByVcode, form);
  return (
    <Form<CodeFields>
      form={form}
      name="email-code"
      layout="vertical"
      requiredMark={false}
      onFinish={({ vcode, password }) => mutate({ email: account, vcode: vcode.trim(), password })}
    >
      <Form.Item label={t('email')} htmlFor="own-email">
        <Input id="own-email" value={account} readOnly autoComplete="username" />
      </Form.Item>
      <Form.Item label={t('vcode')} htmlFor="email-code_vcode" className="ac-code">
        <div className="ac-code-row">
          <FormField name="vcode" noStyle rules={[antdRule(codeRule)]}>
            <Input inputMode="numeric" autoComplete="one-time-code" maxLength={VCODE_DIGITS + 2} />
          </FormField>
          <SendButton email={account} />
        </div>
      </Form.Item>
      <PasswordFields />
      <Button type="primary" htmlType="submit" loading={isPending}>
        {t('submit')}
      </Button>
    </Form>
  );
}

/** Both ways to change the password; a sub-account has no mailbox and needs its old password (decisions §3). */
export function PasswordForms() {
  const t = useMessages('account');
  if (!isMain(useMember())) return <OldPasswordForm />;
  const byOld = { key: 'old', label: t('byOldPassword'), children: <OldPasswordForm /> };
  const byEmail = { key: 'email', label: t('byEmail'), children: <EmailForm /> };
  return <Tabs items={[byOld, byEmail]} />;
}
