import { account } from '@yiqiao/contracts/form-checks';
import type { findEmail } from '@yiqiao/contracts/login';
import { useState } from 'react';
import { ApiError } from '../../../shared/api/api-error.js';
import { callRoute } from '../../../shared/api/call.js';
import { ROUTES } from '../../../shared/api/public-routes.js';
import { FormMessage, SubmitButton } from '../../../shared/form/submit-button.js';
import { TextField } from '../../../shared/form/text-field.js';
import { useForm } from '../../../shared/form/use-form.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import type { Found } from './found.js';
import type { useSendCode } from './send-code.js';

type StepProps = {
  found: Found;
  code: ReturnType<typeof useSendCode>;
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
  onFound: (found: Found) => void;
};

/** Step 0: the account is looked up, and its mailbox gets a code. */
export function FindAccountStep({ found, code, onBusy, onCancel, onFound }: StepProps) {
  const t = useMessages('login');
  const [email, setEmail] = useState(found.email);
  const form = useForm({ account: { rule: account } }, { account: found.account });

  const submit = form.onSubmit(async ({ account: typed }) => {
    const name = typed.trim();
    onBusy(true);
    try {
      const address = await callRoute<typeof findEmail>(ROUTES.findEmail, { accountOrEmail: name });
      setEmail(address);
      // Back from the next step: the code that was just sent to this account still counts.
      if (!(code.running && found.account === name)) await code.send(name);
      onFound({ account: name, email: address });
    } catch (error) {
      const here = error instanceof ApiError && (error.status === 404 || error.status === 422);
      form.fail(error, here ? { [error.code]: 'account' } : {});
    } finally {
      onBusy(false);
    }
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <div className="dlg-body">
        <TextField
          {...form.field('account')}
          label={t('account')}
          placeholder={t('accountHolder')}
          autoComplete="username"
          hint={email && t('resetWillSend', { email })}
        />
        <FormMessage text={form.message} />
      </div>
      <div className="dlg-foot">
        <button type="button" className="btn btn-d" onClick={onCancel}>
          {t('resetCancel')}
        </button>
        <SubmitButton busy={form.busy}>{t('resetNext')}</SubmitButton>
      </div>
    </form>
  );
}
