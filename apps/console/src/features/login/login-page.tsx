import './login.css';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { useTexts } from '../../shared/i18n/texts.js';
import { useInviteCode, useInvited } from '../../shared/invite.js';
import { useCopyright } from '../../shared/site/use-site-info.js';
import { Icon } from '../../shared/ui/icon.js';
import { LanguageSwitch } from '../../shared/ui/language-switch.js';
import { ForgotPassword } from './forgot-password.js';
import { Greetings } from './greetings.js';
import { HandedSession } from './handed-session.js';
import { LoginForm } from './login-form.js';
import { RegisterForm } from './register-form.js';

/** `type` 1 shows login, 2 shows register; `inviteCode` is carried through (specification §2). */
function usePlaces() {
  const [query] = useSearchParams();
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
  const t = useTexts('login');
  return (
    <nav className="tabs2" aria-label={`${t('logIn')} / ${t('signUp')}`}>
      <Link to={logIn} replace className={registering ? '' : 'on'} aria-current={registering ? undefined : 'page'}>
        {t('logIn')}
      </Link>
      <Link to={signUp} replace className={registering ? 'on' : ''} aria-current={registering ? 'page' : undefined}>
        {t('signUp')}
      </Link>
    </nav>
  );
}

export default function LoginPage() {
  const t = useTexts('login');
  const navigate = useNavigate();
  const places = usePlaces();
  const copyright = useCopyright();
  const [account, setAccount] = useState('');
  const [forgot, setForgot] = useState<string | null>(null);

  return (
    <div className="auth">
      <Greetings home={places.home} />
      <div className="f">
        <header className="top-line">
          <Link className="btn btn-t" to={places.home}>
            <Icon name="back" />
            {t('backHome')}
          </Link>
          <LanguageSwitch />
        </header>
        <main className="fm">
          <h1 className="vh">{places.registering ? t('signUp') : t('logIn')}</h1>
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
          <p className="faint copyright">{copyright}</p>
        </footer>
      </div>
      {forgot !== null && (
        <ForgotPassword
          account={forgot}
          onClose={(name) => {
            setAccount(name);
            setForgot(null);
          }}
        />
      )}
      <HandedSession />
    </div>
  );
}
