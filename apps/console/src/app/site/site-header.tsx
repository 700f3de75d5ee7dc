import { useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useSignedIn } from '../../shared/auth/stored-user.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { Icon } from '../../shared/ui/icon.js';
import { LanguageSwitch } from '../../shared/ui/language-switch.js';
import { Logo } from '../../shared/ui/logo.js';
import { toast } from '../../shared/ui/toast.js';

const LINKS = [
  { to: '/home', text: 'pageHome' },
  { to: '/download', text: 'pageDownload' },
  { to: '/productDesc', text: 'pageProductDesc' },
] as const;

/** Log in and sign up for visitors; the member center for members. */
function Entrances() {
  const t = useTexts('app');
  if (useSignedIn())
    return (
      <Link className="btn btn-p dk" to="/UserCenterIndex">
        {t('userCenter')}
      </Link>
    );
  return (
    <>
      <Link className="btn btn-t dk" to="/login?type=1">
        {t('logIn')}
      </Link>
      <Link className="btn btn-p dk" to="/login?type=2">
        {t('signUp')}
      </Link>
    </>
  );
}

/** Phones: the same links, and a console entry that only says where the console is used (specification §2). */
function MobileMenu({ close }: { close: () => void }) {
  const t = useTexts('app');
  const signedIn = useSignedIn();
  return (
    <nav className="mm" id="mobile-menu" aria-label={t('mainNav')}>
      {LINKS.map(({ to, text }) => (
        <NavLink key={to} to={to} onClick={close}>
          {t(text)}
        </NavLink>
      ))}
      {!signedIn && (
        <Link to="/login?type=1" onClick={close}>
          {t('logIn')}
        </Link>
      )}
      {!signedIn && (
        <Link to="/login?type=2" onClick={close}>
          {t('signUp')}
        </Link>
      )}
      <button
        type="button"
        onClick={() => {
          close();
          toast.info(t('useOnPc'));
        }}
      >
        {t('userCenter')}
      </button>
    </nav>
  );
}

export function SiteHeader() {
  const t = useTexts('app');
  const { key } = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === key; // going anywhere closes the menu
  return (
    <header className="hd">
      <div className="wrap">
        <Link className="logo" to="/home">
          <Logo />
        </Link>
        <nav aria-label={t('mainNav')}>
          {LINKS.map(({ to, text }) => (
            <NavLink key={to} to={to}>
              {t(text)}
            </NavLink>
          ))}
        </nav>
        <div className="r">
          <LanguageSwitch />
          <Entrances />
          <button
            type="button"
            className="burger"
            aria-label={open ? t('closeMenu') : t('menu')}
            aria-expanded={open}
            aria-controls="mobile-menu"
            onClick={() => setOpenAt(open ? null : key)}
          >
            <Icon name={open ? 'close' : 'menu'} />
          </button>
        </div>
      </div>
      {open && <MobileMenu close={() => setOpenAt(null)} />}
    </header>
  );
}
