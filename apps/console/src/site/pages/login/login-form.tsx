import type { login } from '@yiqiao/contracts/login';
import { account, password } from '@yiqiao/contracts/form-checks';
import { type ComponentType, lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { ApiError, messageOf } from '../../../shared/api/api-error.js';
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
import type { SecondStepProps } from './steps/second-step.js';

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

/** Loads what few members need together with its messages. */
export async function withMessages<T>(file: Promise<T>): Promise<T> {
  const loading = import('./steps/content.js').then(({ loadContent }) => loadContent());
  return (await Promise.all([file, loading]))[0];
}

type LoginFormProps = { account: string; signUp: string; onForgot: (account: string) => void };

export function LoginForm({ account: known, signUp, onForgot }: LoginFormProps) {
  const t = useMessages('login');
  const shared = useMessages('shared');
  const navigate = useNavigate();
  const form = useForm({ account: { rule: account }, password: { rule: password } }, { account: known });

  const [second, setSecond] = useState<{ Step: ComponentType<SecondStepProps>; challenge: string } | null>(null);

  const enter = async (session: Session): Promise<void> => {
    await signIn(session);
    toast.success(t('loginDone'));
    await navigate(takeReturnPath(), { replace: true });
  };

  const submit = form.onSubmit(async (values) => {
    let session: Session;
    try {
      session = await callRoute<typeof login>(ROUTES.login, {
        account: values.account.trim(),
        password: values.password,
        clientType: 'web',
      });
    } catch (error) {
      if (error instanceof ApiError && error.code === 'SIGN_IN_CODE_REQUIRED') {
        const file = await withMessages(import('./steps/second-step.js')).catch(() => null);
        if (file) setSecond({ Step: file.SecondStep, challenge: String(error.data['challenge']) });
        else toast.error(shared('loadFailed'));
      } else
        form.fail(error, {
          ACCOUNT_NOT_REGISTERED: 'account',
          ACCOUNT_DISABLED: 'account',
          WRONG_PASSWORD: 'password',
        });
      return;
    }
    await enter(session);
  });

  if (second) return <second.Step challenge={second.challenge} onSession={enter} onBack={() => setSecond(null)} />;
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

const SwitchAccount = lazy(async () => ({
  default: (await withMessages(import('./steps/switch-account.js'))).SwitchAccount,
}));

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
