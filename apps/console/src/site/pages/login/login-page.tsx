import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import { useMessages } from '../../../shared/i18n/messages.js';
import { useCopyright } from '../../../shared/site/use-site-info.js';
import { Icon } from '../../../shared/ui/icon.js';
import { LanguageSwitch } from '../../../shared/ui/language-switch.js';
import { toast } from '../../../shared/ui/toast.js';
import { useInviteCode, useInvited } from '../../shared/invite.js';
import { useNavigate, useQuery } from '../../shared/routing.js';
import type { ForgotProps } from './steps/forgot-password.js';
import { Greetings } from './greetings.js';
import { UrlSessionSignIn, LoginForm, withMessages } from './login-form.js';
import { RegisterForm } from './register-form.js';
import './login.css';

/** Rarely needed. When its code cannot be loaded, for example after a release, the login form stays. */
const ForgotPassword = lazy<ComponentType<ForgotProps>>(() =>
  withMessages(import('./steps/forgot-password.js')).then(
    (file) => ({ default: file.ForgotPassword }),
    () => ({ default: ForgotPasswordFailed }),
  ),
);

function ForgotPasswordFailed({ account, onClose }: ForgotProps) {
  const t = useMessages('shared');
  useEffect(() => {
    toast.error(t('loadFailed'));
    onClose(account);
  });
  return null;
}

/** `type` 1 shows login, 2 shows register; `inviteCode` is carried through (specification §2). */
function usePlaces() {
  const query = useQuery();
  const inviteCode = useInviteCode();
  const invited = useInvited();
  return {
    inviteCode,
    registering: query.get('type') === '2',
    home: invited('/'),
    logIn: invited('/login?type=1'),
    signUp: invited('/login?type=2'),
  };
}

function Tabs({ logIn, signUp, registering }: { logIn: string; signUp: string; registering: boolean }) {
  const t = useMessages('login');
  return (
    <nav className="login-tabs" aria-label={`${t('logIn')} / ${t('signUp')}`}>
      <a
        href={logIn}
        data-replace
        className={registering ? '' : 'active'}
        aria-current={registering ? undefined : 'page'}
      >
        {t('logIn')}
      </a>
      <a
        href={signUp}
        data-replace
        className={registering ? 'active' : ''}
        aria-current={registering ? 'page' : undefined}
      >
        {t('signUp')}
      </a>
    </nav>
  );
}

export default function LoginPage() {
  const t = useMessages('login');
  const navigate = useNavigate();
  const places = usePlaces();
  const copyright = useCopyright();
  const [account, setAccount] = useState('');
  const [forgot, setForgot] = useState<string | null>(null);

  return (
    <div className="login">
      <Greetings home={places.home} />
      <div className="login-main">
        <header className="login-top">
          <a className="button button-text" href={places.home}>
            <Icon name="back" />
            {t('backHome')}
          </a>
          <LanguageSwitch />
        </header>
        <main className="login-form">
          <h1 className="visually-hidden">{places.registering ? t('signUp') : t('logIn')}</h1>
          <Tabs {...places} />
          {places.registering ? (
            <RegisterForm
              inviteCode={places.inviteCode}
              logIn={places.logIn}
              onDone={(registered) => {
                setAccount(registered);
                void navigate(places.logIn, { replace: true });
              }}
            />
          ) : (
            <LoginForm key={account} account={account} signUp={places.signUp} onForgot={setForgot} />
          )}
        </main>
        <footer>
          <p className="faint login-copyright">{copyright}</p>
        </footer>
      </div>
      {forgot !== null && (
        <Suspense>
          <ForgotPassword
            account={forgot}
            onClose={(name) => {
              setAccount(name);
              setForgot(null);
            }}
          />
        </Suspense>
      )}
      <UrlSessionSignIn />
    </div>
  );
}
