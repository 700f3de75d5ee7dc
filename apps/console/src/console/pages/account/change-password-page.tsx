import { useMessages } from '../../../shared/i18n/messages.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { PasswordForms } from './password-forms.js';
import './account.css';

/** /UserCenterChangePassword */
export default function ChangePasswordPage() {
  const t = useMessages('account');
  return (
    <>
      <PageHeader title={t('passwordTitle')} note={t('passwordNote')} />
      <section className="card ac-password" aria-label={t('passwordTitle')}>
        <PasswordForms />
      </section>
    </>
  );
}
