import { lazy, Suspense, useState } from 'react';
import { isMain, useMember } from '../../../shared/auth/user.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { NicknameDialog } from '../../shared/nickname/nickname-dialog.js';
import { PageHeader } from '../../../shared/ui/page-header.js';
import { FactsCard } from './facts-card.js';
import { RemindersCard } from './reminders-card.js';
import { SessionsCard } from './sessions-card.js';
import { TwoStepCard } from './two-step/two-step-card.js';
import './account.css';

const PasswordDialog = lazy(async () => ({ default: (await import('./password-dialog.js')).PasswordDialog }));

/** A dialog that is loaded when it opens and unmounted after it has closed. */
function usePasswordDialog() {
  const [shown, setShown] = useState<'no' | 'open' | 'closing'>('no');
  const frame = {
    open: shown === 'open',
    onClose: () => setShown('closing'),
    afterClose: () => setShown('no'),
  };
  return { open: () => setShown('open'), dialog: shown !== 'no' && <PasswordDialog frame={frame} /> };
}

/** /UserCenterInfo: personal data, reminders, two-step sign-in and sessions (specification §2, docs/decisions/0022, 0050). */
export default function InfoPage() {
  const t = useMessages('account');
  const user = useMember();
  const [renaming, setRenaming] = useState(false);
  const password = usePasswordDialog();
  return (
    <>
      <PageHeader title={t('infoTitle')} note={t(isMain(user) ? 'infoNote' : 'infoNoteSub')} />
      <div className="ac-cards">
        <FactsCard user={user} onRename={() => setRenaming(true)} onPassword={password.open} />
        <RemindersCard />
        {isMain(user) && <TwoStepCard />}
        <SessionsCard />
      </div>
      <NicknameDialog open={renaming} onClose={() => setRenaming(false)} />
      <Suspense>{password.dialog}</Suspense>
    </>
  );
}
