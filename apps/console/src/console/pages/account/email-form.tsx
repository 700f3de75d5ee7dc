import { vcode as vcodeRule } from '@yiqiao/contracts/fields';
import { resetPwdByVcode, sendVCode } from '@yiqiao/contracts/login';
import { VCODE_DIGITS, VCODE_RESEND_SECONDS } from '@yiqiao/domain/limits';
import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import { ApiError, messageOf } from '../../../shared/api/api-error.js';
import { call } from '../../../shared/api/call.js';
import { useMember } from '../../../shared/auth/user.js';
import { antdRule, ON_BLUR_AND_SUBMIT } from '../../../shared/form/antd-rule.js';
import { byContract, type Rule } from '../../../shared/form/rules.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { toast } from '../../../shared/ui/toast.js';
import { PasswordFields } from './password-fields.js';
import { useCountdown } from '../../../shared/form/use-countdown.js';
import { usePasswordChange } from './use-password-change.js';

const wellFormed = byContract(vcodeRule);
const codeRule: Rule = (typed, values) => (typed.trim() === '' ? 'VCODE_REQUIRED' : wellFormed(typed, values));

type Fields = { vcode: string; password: string; password2: string };

/** Sends a code to the account's own address; 60 seconds before the next one (specification §4, decisions §3). */
function SendButton({ email }: { email: string }) {
  const t = useTexts('account');
  const [sending, setSending] = useState(false);
  const { count, running, start } = useCountdown();
  const sendCode = async (): Promise<void> => {
    setSending(true);
    try {
      await call(sendVCode, { account: email });
      start(VCODE_RESEND_SECONDS);
      toast.success(t('sent'));
    } catch (error) {
      const why = messageOf(error);
      if (why !== null) toast.error(why);
      const wait = error instanceof ApiError ? error.retryAfterSeconds : null;
      if (wait !== null) start(wait);
    } finally {
      setSending(false);
    }
  };
  return (
    <Button loading={sending} disabled={running} onClick={() => void sendCode()}>
      {running ? t('resend', { n: count }) : t(sending ? 'sending' : 'send')}
    </Button>
  );
}

/** For main accounts: the mailed code takes the place of the old password. */
export function EmailForm() {
  const t = useTexts('account');
  const { account } = useMember();
  const [form] = Form.useForm<Fields>();
  const { busy, run } = usePasswordChange(form);
  return (
    <Form<Fields>
      form={form}
      name="email-code"
      layout="vertical"
      requiredMark={false}
      onFinish={({ vcode, password }) =>
        run(() => call(resetPwdByVcode, { email: account, vcode: vcode.trim(), password }))
      }
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
      <Button type="primary" htmlType="submit" loading={busy}>
        {t('submit')}
      </Button>
    </Form>
  );
}
