import type { secondStep } from '@yiqiao/contracts/login';
import { useId } from 'react';
import { ApiError } from '../../../../shared/api/api-error.js';
import { callRoute } from '../../../../shared/api/call.js';
import type { Session } from '../../../../shared/api/session.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { toast } from '../../../../shared/ui/toast.js';
import { FormMessage, SubmitButton } from '../../../shared/form/submit-button.js';
import { TextField } from '../../../shared/form/text-field.js';
import { useForm } from '../../../shared/form/use-form.js';

// Only method and path: importing the endpoint would add every contract's schema to the bundle.
const ROUTE = { method: 'POST', path: '/login/secondStep' } as const satisfies Pick<
  typeof secondStep,
  'method' | 'path'
>;

export type SecondStepProps = {
  challenge: string;
  onSession: (session: Session) => Promise<void>;
  /** Back to the password. */
  onBack: () => void;
};

/** The code of an account with two-step sign-in, after its password (docs/decisions/0050). */
export function SecondStep({ challenge, onSession, onBack }: SecondStepProps) {
  const t = useMessages('steps');
  const why = useId();
  const form = useForm({ code: { rule: (typed) => (typed.trim() === '' ? 'VCODE_REQUIRED' : null) } });

  const submit = form.onSubmit(async ({ code }) => {
    let session: Session;
    try {
      session = await callRoute<typeof secondStep>(ROUTE, { challenge, code });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'CHALLENGE_EXPIRED') {
        toast.error(error.message);
        onBack();
      } else form.fail(error, { SIGN_IN_CODE_WRONG: 'code', SIGN_IN_CODE_USED: 'code', INVALID: 'code' });
      return;
    }
    await onSession(session);
  });

  return (
    <form noValidate aria-label={t('secondTitle')} aria-describedby={why} onSubmit={(event) => void submit(event)}>
      <p className="muted login-sent-to" id={why}>
        {t('secondWhy')}
      </p>
      <TextField
        {...form.field('code')}
        label={t('secondCode')}
        placeholder={t('secondCodeHolder')}
        autoComplete="one-time-code"
        hint={t('secondLost')}
        autoFocus
      />
      <div className="login-options">
        <button type="button" className="link" onClick={onBack}>
          {t('secondBack')}
        </button>
      </div>
      <FormMessage text={form.message} />
      <SubmitButton busy={form.busy} wide>
        {t(form.busy ? 'secondVerifying' : 'secondVerify')}
      </SubmitButton>
    </form>
  );
}
