import { useCallback, useRef, useState } from 'react';
import { NavLink } from '../routing/routing.js';
import { useSignedIn } from '../../shared/auth/stored-user.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { useInvited } from '../routing/invite.js';
import { Icon } from '../../shared/ui/icon.js';
import { LanguageSwitch } from '../../shared/ui/language-switch.js';
import { Logo } from '../../shared/site/logo.js';
import { LINKS } from './links.js';
import { MobileMenu } from './mobile-menu.js';

/** Log in and sign up for visitors; the member center for members. */
function Entrances() {
  const t = useMessages('site');
  const shared = useMessages('shared');
  const invited = useInvited();
  if (useSignedIn())
    return (
      <a className="btn btn-p dk" href="/UserCenterIndex">
        {shared('userCenter')}
      </a>
    );
  return (
    <>
      <a className="btn btn-t dk" href={invited('/login?type=1')}>
        {t('logIn')}
      </a>
      <a className="btn btn-p dk" href={invited('/login?type=2')}>
        {t('signUp')}
      </a>
    </>
  );
}

/** Burger and menu of phones. Going anywhere closes the menu. */
function useMobileMenu(visit: number) {
  const [openAt, setOpenAt] = useState<number | null>(null);
  const burger = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpenAt(null), []);
  const leave = useCallback(() => {
    setOpenAt(null);
    burger.current?.focus();
  }, []);
  const open = openAt === visit;
  return { open, burger, close, leave, toggle: () => setOpenAt(open ? null : visit) };
}

export function SiteHeader({ visit }: { visit: number }) {
  const t = useMessages('site');
  const shared = useMessages('shared');
  const invited = useInvited();
  const { open, burger, close, leave, toggle } = useMobileMenu(visit);
  return (
    <header className="hd">
      <div className="wrap">
        <a className="logo" href={invited('/home')}>
          <Logo />
        </a>
        <nav aria-label={shared('mainNav')}>
          {LINKS.map(({ to, text }) => (
            <NavLink key={to} href={invited(to)}>
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
            aria-label={open ? shared('closeMenu') : shared('menu')}
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
