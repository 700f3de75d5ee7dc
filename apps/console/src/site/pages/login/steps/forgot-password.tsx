import type { findEmail, resetPwdByVcode } from '@yiqiao/contracts/login';
import { account, password, vcode } from '@yiqiao/contracts/form-checks';
import { useEffect, useId, useRef, useState } from 'react';
import { ApiError } from '../../../../shared/api/api-error.js';
import { callRoute } from '../../../../shared/api/call.js';
import { ROUTES } from '../../../../shared/api/public-routes.js';
import { repeats } from '../../../../shared/form/rules.js';
import { FormMessage, SubmitButton } from '../../../shared/form/submit-button.js';
import { TextField } from '../../../shared/form/text-field.js';
import { useForm } from '../../../shared/form/use-form.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { Dialog } from '../../../../shared/ui/dialog.js';
import { Empty } from '../../../../shared/ui/empty.js';
import { toast } from '../../../../shared/ui/toast.js';
import { SendCodeButton, useSendCode } from '../send-code.js';

/** The account as typed, and its e-mail address as masked by the server (decisions §3). */
type Found = { account: string; email: string };

type FindAccountProps = {
  found: Found;
  code: ReturnType<typeof useSendCode>;
  onBusy: (busy: boolean) => void;
  onCancel: () => void;
  onFound: (found: Found) => void;
};

/** Step 0: finds the account and mails a code. */
function FindAccountStep({ found, code, onBusy, onCancel, onFound }: FindAccountProps) {
  const t = useMessages('login');
  const steps = useMessages('steps');
  const [email, setEmail] = useState(found.email);
  const form = useForm({ account: { rule: account } }, { account: found.account });

  const submit = form.onSubmit(async ({ account: typed }) => {
    const name = typed.trim();
    onBusy(true);
    try {
      const address = await callRoute<typeof findEmail>(ROUTES.findEmail, { accountOrEmail: name });
      setEmail(address);
      // Back from the next step: the code just sent to this account is still valid.
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
      <div className="dialog-body">
        <TextField
          {...form.field('account')}
          label={t('account')}
          placeholder={t('accountHolder')}
          autoComplete="username"
          hint={email && steps('resetWillSend', { email })}
        />
        <FormMessage text={form.message} />
      </div>
      <div className="dialog-footer">
        <button type="button" className="button button-default" onClick={onCancel}>
          {steps('resetCancel')}
        </button>
        <SubmitButton busy={form.busy}>{steps('resetNext')}</SubmitButton>
      </div>
    </form>
  );
}

type NewPasswordProps = {
  found: Found;
  code: ReturnType<typeof useSendCode>;
  onBusy: (busy: boolean) => void;
  onPrevious: () => void;
  onDone: () => void;
};

/** Step 1: the code, and the new password twice. */
function NewPasswordStep({ found, code, onBusy, onPrevious, onDone }: NewPasswordProps) {
  const t = useMessages('login');
  const steps = useMessages('steps');
  const sentTo = useId();
  const form = useForm({
    vcode: { rule: vcode },
    password: { rule: password, also: 'password2' },
    password2: {
      rule: repeats('password', password),
    },
  });

  const sendAgain = async (): Promise<void> => {
    try {
      await code.send(found.account);
      form.praise('vcode', t('codeSent'));
      form.focus('vcode');
    } catch (error) {
      form.fail(error, { VCODE_TOO_SOON: 'vcode' });
    }
  };

  const submit = form.onSubmit(async ({ vcode: digits, password: secret }) => {
    onBusy(true);
    try {
      await callRoute<typeof resetPwdByVcode>(ROUTES.resetPwdByVcode, {
        email: found.account,
        vcode: digits,
        password: secret,
      });
    } catch (error) {
      form.fail(error, { VCODE_WRONG: 'vcode', VCODE_EXPIRED: 'vcode' });
      return;
    } finally {
      onBusy(false);
    }
    toast.success(steps('resetDone'));
    onDone();
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      {/* A named group, announced when the focus enters it. */}
      <div className="dialog-body" role="group" aria-labelledby={sentTo}>
        <p className="muted login-sent-to" id={sentTo}>
          {steps('resetSentTo', { email: found.email })}
        </p>
        <TextField
          {...form.field('vcode')}
          label={t('vcode')}
          inputMode="numeric"
          placeholder={t('vcodeHolder')}
          autoComplete="one-time-code"
          beside={<SendCodeButton state={code} allowed onSend={() => void sendAgain()} />}
        />
        <TextField
          {...form.field('password')}
          label={steps('newPassword')}
          type="password"
          placeholder={t('newPasswordHolder')}
          autoComplete="new-password"
          hint={t('newPasswordHint')}
        />
        <TextField
          {...form.field('password2')}
          label={t('password2')}
          type="password"
          placeholder={t('password2Holder')}
          autoComplete="new-password"
        />
        <FormMessage text={form.message} />
      </div>
      <div className="dialog-footer">
        <button type="button" className="button button-default" onClick={onPrevious}>
          {steps('resetPrevious')}
        </button>
        <SubmitButton busy={form.busy}>{steps('resetSubmit')}</SubmitButton>
      </div>
    </form>
  );
}

const STEPS = ['resetStep0', 'resetStep1', 'resetStep2'] as const;

export type ForgotProps = { account: string; onClose: (account: string) => void };

/** Specification §4: step 0 finds the account and mails a code, step 1 sets the password, step 2 confirms it. */
export function ForgotPassword({ account, onClose }: ForgotProps) {
  const t = useMessages('steps');
  const [step, setStep] = useState<0 | 1 | 2>(0);
  const [found, setFound] = useState<Found>({ account, email: '' });
  const [busy, setBusy] = useState(false);
  const code = useSendCode();
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => body.current?.querySelector<HTMLElement>('input, button')?.focus(), [step]);

  return (
    <Dialog title={t('resetTitle')} drawer busy={busy} onClose={() => onClose(found.account)}>
      <div ref={body}>
        <ol className="login-steps">
          {STEPS.map((name, index) => (
            <li key={name} className={index <= step ? 'active' : ''} aria-current={index === step ? 'step' : undefined}>
              <span className="numeric">{index + 1}</span> {t(name)}
            </li>
          ))}
        </ol>
        {step === 0 && (
          <FindAccountStep
            found={found}
            code={code}
            onBusy={setBusy}
            onCancel={() => onClose(found.account)}
            onFound={(next) => {
              setFound(next);
              setStep(1);
            }}
          />
        )}
        {step === 1 && (
          <NewPasswordStep
            found={found}
            code={code}
            onBusy={setBusy}
            onPrevious={() => setStep(0)}
            onDone={() => setStep(2)}
          />
        )}
        {step === 2 && (
          // A named group, announced when the focus reaches its button.
          <div role="group" aria-label={t('resetDone')}>
            <Empty
              state="done"
              title={t('resetDone')}
              action={
                <button type="button" className="button button-primary" onClick={() => onClose(found.account)}>
                  {t('resetClose')}
                </button>
              }
            >
              {t('resetDoneWhy')}
            </Empty>
          </div>
        )}
      </div>
    </Dialog>
  );
}
