import { password } from '@yiqiao/contracts/fields';
import { Form, Input } from 'antd';
import { antdRule, ON_BLUR_AND_SUBMIT } from '../../../shared/form/antd-rule.js';
import { byContract, sameAs, type Rule } from '../../../shared/form/rules.js';
import { useTexts } from '../../../shared/i18n/texts.js';

const newPassword = antdRule(byContract(password));
const same = sameAs('password');
const repeated: Rule = (typed, values) => (typed === '' ? 'PASSWORD_REQUIRED' : same(typed, values));

/** The new password and its repetition, the same in both tabs. */
export function PasswordFields() {
  const t = useTexts('account');
  return (
    <>
      <Form.Item
        name="password"
        label={t('newPassword')}
        extra={t('advice')}
        validateTrigger={ON_BLUR_AND_SUBMIT}
        rules={[newPassword]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="password2"
        label={t('repeat')}
        validateTrigger={ON_BLUR_AND_SUBMIT}
        rules={[
          ({ getFieldValue }) => antdRule(repeated, () => ({ password: String(getFieldValue('password') ?? '') })),
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </>
  );
}
