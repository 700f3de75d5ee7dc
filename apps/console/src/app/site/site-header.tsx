import { useCallback, useRef, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useSignedIn } from '../../shared/auth/stored-user.js';
import { useTexts } from '../../shared/i18n/texts.js';
import { useInvited } from '../../shared/invite.js';
import { Icon } from '../../shared/ui/icon.js';
import { LanguageSwitch } from '../../shared/ui/language-switch.js';
import { Logo } from '../../shared/site/logo.js';
import { LINKS } from './links.js';
import { MobileMenu } from './mobile-menu.js';

/** Log in and sign up for visitors; the member center for members. */
function Entrances() {
  const t = useTexts('app');
  const invited = useInvited();
  if (useSignedIn())
    return (
      <Link className="btn btn-p dk" to="/UserCenterIndex">
        {t('userCenter')}
      </Link>
    );
  return (
    <>
      <Link className="btn btn-t dk" to={invited('/login?type=1')}>
        {t('logIn')}
      </Link>
      <Link className="btn btn-p dk" to={invited('/login?type=2')}>
        {t('signUp')}
      </Link>
    </>
  );
}

/** Burger and menu of phones. Going anywhere closes the menu. */
function useMobileMenu() {
  const { key } = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const burger = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpenAt(null), []);
  const leave = useCallback(() => {
    setOpenAt(null);
    burger.current?.focus();
  }, []);
  const open = openAt === key;
  return { open, burger, close, leave, toggle: () => setOpenAt(open ? null : key) };
}

export function SiteHeader() {
  const t = useTexts('app');
  const invited = useInvited();
  const { open, burger, close, leave, toggle } = useMobileMenu();
  return (
    <header className="hd">
      <div className="wrap">
        <Link className="logo" to={invited('/home')}>
          <Logo />
        </Link>
        <nav aria-label={t('mainNav')}>
          {LINKS.map(({ to, text }) => (
            <NavLink key={to} to={invited(to)}>
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
            ref={burger}
            aria-label={open ? t('closeMenu') : t('menu')}
            aria-expanded={open}
            aria-controls={open ? 'mobile-menu' : undefined}
            onClick={toggle}
          >
            <Icon name={open ? 'close' : 'menu'} />
          </button>
        </div>
      </div>
      {open && <MobileMenu close={close} leave={leave} />}
    </header>
  );
}
