import { Tabs } from 'antd';
import { isMain, useMember } from '../../shared/auth/user.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { PageHeader } from '../../shared/ui/console/page-header.js';
import { EmailForm } from './email-form.js';
import { OldPasswordForm } from './old-password-form.js';
import './account.css';

/** /UserCenterChangePassword; a sub-account has no mailbox, so only the old password helps it (decisions §3). */
export default function ChangePasswordPage() {
  const t = useTexts('account');
  const main = isMain(useMember());
  const byOld = { key: 'old', label: t('byOldPassword'), children: <OldPasswordForm /> };
  const byEmail = { key: 'email', label: t('byEmail'), children: <EmailForm /> };
  return (
    <>
      <PageHeader title={t('passwordTitle')} note={t('passwordNote')} />
      <section className="card ac-password" aria-label={t('passwordTitle')}>
        {main ? <Tabs items={[byOld, byEmail]} /> : <OldPasswordForm />}
      </section>
    </>
  );
}
