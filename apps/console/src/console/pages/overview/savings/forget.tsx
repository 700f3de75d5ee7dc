import { useQueryClient } from '@tanstack/react-query';
import { forgetTranslations } from '@yiqiao/contracts/savings';
import { useState } from 'react';
import { call } from '../../../../shared/api/call.js';
import { isMain, type User } from '../../../../shared/auth/user.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { grouped } from '../../../../shared/ledger/amount-text.js';
import { toast } from '../../../../shared/ui/toast.js';
import { Brought, ConfirmDialog } from '../brought.js';

/** Forgets for good: a main account all that its family has remembered, a sub-account what itself had translated. */
export function Forget({ user }: { user: User }) {
  const t = useTexts('savings');
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const main = isMain(user);

  const forget = async (): Promise<void> => {
    const { count } = await call(forgetTranslations, {});
    toast.success(t('forgotten', { n: grouped(count) }));
    setAsking(false);
    await queries.invalidateQueries({ queryKey: ['savings'] });
  };

  return (
    <>
      <button type="button" className="link" onClick={() => setAsking(true)}>
        {t(main ? 'forget' : 'forgetOwn')}
      </button>
      <Brought open={asking}>
        <ConfirmDialog
          frame={{ open: asking, onClose: () => setAsking(false), afterClose: () => undefined }}
          title={t('forgetTitle')}
          verb={t('forgetVerb')}
          look="danger"
          onConfirm={forget}
        >
          <p>{t(main ? 'forgetWhat' : 'forgetOwnWhat')}</p>
        </ConfirmDialog>
      </Brought>
    </>
  );
}
