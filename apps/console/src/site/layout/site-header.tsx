import { lazy, Suspense, useCallback, useRef, useState, type ReactNode } from 'react';
import { useSignedIn } from '../../shared/auth/stored-user.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { Logo } from '../../shared/site/logo.js';
import { Icon } from '../../shared/ui/icon.js';
import { LanguageSwitch } from '../../shared/ui/language-switch.js';
import { useInvited } from '../shared/invite.js';
import { NavLink } from '../shared/routing.js';
import { LINKS } from './links.js';
import type { MobileMenuProps } from './mobile-menu.js';

/** Loaded when it opens: most visitors never open it. Nothing is shown when it cannot be loaded: the footer has the same links. */
const MobileMenu = lazy<(props: MobileMenuProps) => ReactNode>(() =>
  import('./mobile-menu.js').catch(() => ({ default: () => null })),
);

/** Log in and sign up for visitors; the member center for members. */
function Entrances() {
  const t = useMessages('site');
  const shared = useMessages('shared');
  const invited = useInvited();
  if (useSignedIn())
    return (
      <a className="button button-primary desktop-only" href="/UserCenterIndex">
        {shared('userCenter')}
      </a>
    );
  return (
    <>
      <a className="button button-text desktop-only" href={invited('/login?type=1')}>
        {t('logIn')}
      </a>
      <a className="button button-primary desktop-only" href={invited('/login?type=2')}>
        {t('signUp')}
      </a>
    </>
  );
}

/** State of the mobile menu. Any navigation closes it. */
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
    <header className="site-header">
      <div className="page-width">
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
        <div className="site-header-actions">
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
      {open && (
        <Suspense>
          <MobileMenu close={close} leave={leave} />
        </Suspense>
      )}
    </header>
  );
}
