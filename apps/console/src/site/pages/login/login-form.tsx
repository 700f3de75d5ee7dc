import type { login } from '@yiqiao/contracts/login';
import { account, password } from '@yiqiao/contracts/form-checks';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { messageOf } from '../../../shared/api/api-error.js';
import { callRoute } from '../../../shared/api/call.js';
import { ROUTES } from '../../../shared/api/public-routes.js';
import { currentSession, sessionSettled, startSession, type Session } from '../../../shared/api/session.js';
import { refreshUser } from '../../../shared/auth/user.js';
import { takeReturnPath } from '../../../shared/auth/return-path.js';
import { FormMessage, SubmitButton } from '../../shared/form/submit-button.js';
import { TextField } from '../../shared/form/text-field.js';
import { useForm } from '../../shared/form/use-form.js';
import { useMessages } from '../../../shared/i18n/messages.js';
import { toast } from '../../../shared/ui/toast.js';
import { useNavigate } from '../../shared/routing.js';
import { takeUrlSession } from '../../shared/url-session.js';

/** Specification §4: id, secret and user info are stored, and a login-success event is emitted. */
async function signIn(session: Session): Promise<void> {
  startSession(session);
  try {
    await refreshUser();
  } catch (error) {
    // The session is valid; the console loads the member again and reports a failure.
    messageOf(error);
  }
  window.dispatchEvent(new CustomEvent('login-success', { detail: { userId: session.userId } }));
}

type LoginFormProps = { account: string; signUp: string; onForgot: (account: string) => void };

export function LoginForm({ account: known, signUp, onForgot }: LoginFormProps) {
  const t = useMessages('login');
  const navigate = useNavigate();
  const form = useForm({ account: { rule: account }, password: { rule: password } }, { account: known });

  const submit = form.onSubmit(async (values) => {
    try {
      await signIn(
        await callRoute<typeof login>(ROUTES.login, {
          account: values.account.trim(),
          password: values.password,
          clientType: 'web',
        }),
      );
    } catch (error) {
      form.fail(error, { ACCOUNT_NOT_REGISTERED: 'account', ACCOUNT_DISABLED: 'account', WRONG_PASSWORD: 'password' });
      return;
    }
    toast.success(t('loginDone'));
    await navigate(takeReturnPath(), { replace: true });
  });

  return (
    <form noValidate aria-label={t('logIn')} onSubmit={(event) => void submit(event)}>
      <TextField
        {...form.field('account')}
        label={t('account')}
        placeholder={t('accountHolder')}
        autoComplete="username"
      />
      <TextField
        {...form.field('password')}
        label={t('password')}
        type="password"
        placeholder={t('passwordHolder')}
        autoComplete="current-password"
        // Back from registration or from a reset the account is known: only the password is missing.
        autoFocus={known !== ''}
      />
      <div className="login-options">
        <button type="button" className="link" onClick={() => onForgot(form.values.account)}>
          {t('forgot')}
        </button>
      </div>
      <FormMessage text={form.message} />
      <SubmitButton busy={form.busy} wide>
        {t(form.busy ? 'loggingIn' : 'logIn')}
      </SubmitButton>
      <p className="login-other">
        {t('noAccount')}{' '}
        <a className="link" href={signUp}>
          {t('signUpFree')}
        </a>
      </p>
    </form>
  );
}

// Rarely needed.
const SwitchAccount = lazy(async () => ({ default: (await import('./switch-account.js')).SwitchAccount }));

/** Signs in with a session from the URL; asks first if another account is signed in (decisions §2). */
export function UrlSessionSignIn() {
  const navigate = useNavigate();
  const [offered, setOffered] = useState<Session | null>(null);

  const leave = useCallback((): void => void navigate(takeReturnPath(), { replace: true }), [navigate]);
  const startWith = useCallback(
    async (session: Session): Promise<void> => {
      setOffered(null);
      await signIn(session);
      if (currentSession()) leave(); // an expired session has been reported and dropped
    },
    [leave],
  );

  useEffect(() => {
    const session = takeUrlSession();
    if (!session) return;
    void sessionSettled().then(() => {
      const current = currentSession();
      if (current && current.userId !== session.userId) setOffered(session);
      else void startWith(session);
    });
  }, [startWith]);

  if (!offered) return null;
  return (
    <Suspense>
      <SwitchAccount onKeep={leave} onSwitch={() => void startWith(offered)} />
    </Suspense>
  );
}
