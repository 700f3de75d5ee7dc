import { Tabs } from 'antd';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { useTexts } from '../../../shared/i18n/texts.js';
import { EmailForm } from './email-form.js';
import { OldPasswordForm } from './old-password-form.js';

/** Both ways of changing the password; a sub-account has no mailbox, so only the old password helps it (decisions §3). */
export function PasswordForms() {
  const t = useTexts('account');
  if (!isMain(useMember())) return <OldPasswordForm />;
  const byOld = { key: 'old', label: t('byOldPassword'), children: <OldPasswordForm /> };
  const byEmail = { key: 'email', label: t('byEmail'), children: <EmailForm /> };
  return <Tabs items={[byOld, byEmail]} />;
}
