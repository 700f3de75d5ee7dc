import { nickname, password } from '@yiqiao/contracts/fields';
import { checkUsername } from '@yiqiao/contracts/login';
import { Form, Input, Switch } from 'antd';
import { useState } from 'react';
import { useEndpointMutation } from '../../../shared/api/use-endpoint.js';
import { antdRule, ON_BLUR_AND_SUBMIT } from '../../../shared/form/antd-rule.js';
import { byContract, type Rule } from '../../../shared/form/rules.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { usernameRule } from './username-rule.js';

export type ChildFormFields = { account: string; password: string; nickname: string; enabled: boolean };

const wellFormed = byContract(nickname);
const optionalNickname: Rule = (typed, values) => (typed.trim() === '' ? null : wellFormed(typed, values));

/** Name and password belong to adding alone: they are never sent when editing (specification §5, decisions §9). */
function NewAccountFields() {
  const t = useTexts('sub-accounts');
  const { mutateAsync } = useEndpointMutation(checkUsername, { onError: () => undefined });
  const [accountRule] = useState(() => usernameRule((username) => mutateAsync({ username })));
  return (
    <>
      <Form.Item
        name="account"
        label={t('account')}
        extra={t('accountHint')}
        validateTrigger={ON_BLUR_AND_SUBMIT}
        rules={[accountRule]}
      >
        <Input autoComplete="off" autoCapitalize="none" spellCheck={false} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('passwordField')}
        extra={t('passwordHint')}
        validateTrigger={ON_BLUR_AND_SUBMIT}
        rules={[antdRule(byContract(password))]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </>
  );
}

function FixedAccount({ account }: { account: string }) {
  const t = useTexts('sub-accounts');
  return (
    <Form.Item label={t('account')} htmlFor="child-account" extra={t('accountFixed')}>
      <Input id="child-account" value={account} readOnly disabled />
    </Form.Item>
  );
}

/** The fields of a sub-account. `account`: the name of the one that is edited; absent when one is added. */
export function ChildFields({ account }: { account?: string | undefined }) {
  const t = useTexts('sub-accounts');
  return (
    <>
      {account === undefined ? <NewAccountFields /> : <FixedAccount account={account} />}
      <Form.Item
        name="nickname"
        label={t('nickname')}
        validateTrigger={ON_BLUR_AND_SUBMIT}
        rules={[antdRule(optionalNickname)]}
      >
        <Input autoComplete="off" placeholder={t('nicknameHint')} allowClear />
      </Form.Item>
      <div className="sa-option">
        <div>
          <label htmlFor="child_enabled">{t('enabled')}</label>
          <p className="faint">{t('enabledHint')}</p>
        </div>
        <Form.Item name="enabled" valuePropName="checked" noStyle>
          <Switch />
        </Form.Item>
      </div>
    </>
  );
}
