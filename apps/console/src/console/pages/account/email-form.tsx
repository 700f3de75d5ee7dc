import { vcode as vcodeRule } from '@yiqiao/contracts/fields';
import { resetPwdByVcode, sendVCode } from '@yiqiao/contracts/login';
import { VCODE_DIGITS, VCODE_RESEND_SECONDS } from '@yiqiao/domain/limits';
import { Button, Form, Input } from 'antd';
import { ApiError } from '../../../shared/api/api-error.js';
import { showRefusal } from '../../../shared/api/show-refusal.js';
import { useEndpointMutation } from '../../../shared/api/use-endpoint.js';
import { useMember } from '../../../shared/auth/user.js';
import { antdRule, ON_BLUR_AND_SUBMIT } from '../../../shared/form/antd-rule.js';
import { byContract, type Rule } from '../../../shared/form/rules.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { PasswordFields } from './password-fields.js';
import { useCountdown } from '../../../shared/form/use-countdown.js';
import { usePasswordChange } from './use-password-change.js';

const wellFormed = byContract(vcodeRule);
const codeRule: Rule = (typed, values) => (typed.trim() === '' ? 'VCODE_REQUIRED' : wellFormed(typed, values));

type Fields = { vcode: string; password: string; password2: string };

/** Sends a code to the account's own address; 60 seconds before the next one (specification §4, decisions §3). */
function SendButton({ email }: { email: string }) {
  const t = useTexts('account');
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

/** For main accounts: the mailed code takes the place of the old password. */
export function EmailForm() {
  const t = useTexts('account');
  const { account } = useMember();
  const [form] = Form.useForm<Fields>();
  const { mutate, isPending } = usePasswordChange(resetPwdByVcode, form);
  return (
    <Form<Fields>
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
        <div>
          <Form.Item name="vcode" noStyle validateTrigger={ON_BLUR_AND_SUBMIT} rules={[antdRule(codeRule)]}>
            <Input inputMode="numeric" autoComplete="one-time-code" maxLength={VCODE_DIGITS + 2} />
          </Form.Item>
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
