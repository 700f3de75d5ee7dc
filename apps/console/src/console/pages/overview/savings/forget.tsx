import { forgetTranslations, getSavings } from '@yiqiao/contracts/savings';
import { useState } from 'react';
import { useEndpointMutation, useInvalidateEndpoint } from '../../../../shared/api/use-endpoint.js';
import { isMain, type User } from '../../../../shared/auth/user.js';
import { useTexts } from '../../../../shared/i18n/texts.js';
import { grouped } from '../../../../shared/ledger/amount-text.js';
import { Brought, ConfirmDialog } from '../brought.js';

/** Forgets for good: a main account all that its family has remembered, a sub-account what itself had translated. */
export function Forget({ user }: { user: User }) {
  const t = useTexts('savings');
  const invalidate = useInvalidateEndpoint();
  const [asking, setAsking] = useState(false);
  const main = isMain(user);

  const { mutate, isPending } = useEndpointMutation(forgetTranslations, {
    successMessage: ({ count }) => t('forgotten', { n: grouped(count) }),
    onSuccess: () => {
      setAsking(false);
      return invalidate(getSavings);
    },
  });

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
          busy={isPending}
          onConfirm={() => mutate({})}
        >
          <p>{t(main ? 'forgetWhat' : 'forgetOwnWhat')}</p>
        </ConfirmDialog>
      </Brought>
    </>
  );
}
