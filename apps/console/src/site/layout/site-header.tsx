import { useCallback, useEffect, useRef, useState } from 'react';
import { useSignedIn } from '../../shared/auth/stored-user.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { Logo } from '../../shared/site/logo.js';
import { Icon } from '../../shared/ui/icon.js';
import { LanguageSwitch } from '../../shared/ui/language-switch.js';
import { toast } from '../../shared/ui/toast.js';
import { useInvited } from '../shared/invite.js';
import { NavLink } from '../shared/routing.js';

/** The top navigation of the site (specification §2); everything else is in the footer. */
const LINKS = [
  { to: '/home', text: 'pageHome' },
  { to: '/download', text: 'pageDownload' },
  { to: '/productDesc', text: 'pageProductDesc' },
] as const;

type MobileMenuProps = {
  /** After a choice or a click outside. */
  close: () => void;
  /** On Escape: closes and returns the focus to the button. */
  leave: () => void;
};

/** On phones: the same links, and a console entry that only explains where the console works (specification §2). */
function MobileMenu({ close, leave }: MobileMenuProps) {
  const t = useMessages('site');
  const shared = useMessages('shared');
  const invited = useInvited();
  const signedIn = useSignedIn();
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const escape = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leave();
    };
    const elsewhere = (event: PointerEvent): void => {
      if (!ref.current?.parentElement?.contains(event.target as Node)) close();
    };
    document.addEventListener('keydown', escape);
    document.addEventListener('pointerdown', elsewhere);
    return () => {
      document.removeEventListener('keydown', escape);
      document.removeEventListener('pointerdown', elsewhere);
    };
  }, [close, leave]);
  return (
    <nav className="mobile-menu" id="mobile-menu" aria-label={shared('mainNav')} ref={ref}>
      {LINKS.map(({ to, text }) => (
        <NavLink key={to} href={invited(to)} onClick={close}>
          {t(text)}
        </NavLink>
      ))}
      {!signedIn && (
        <a href={invited('/login?type=1')} onClick={close}>
          {t('logIn')}
        </a>
      )}
      {!signedIn && (
        <a href={invited('/login?type=2')} onClick={close}>
          {t('signUp')}
        </a>
      )}
      <button
        type="button"
        onClick={() => {
          leave();
          toast.info(t('useOnPc'));
        }}
      >
        {shared('userCenter')}
      </button>
    </nav>
  );
}

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
      {open && <MobileMenu close={close} leave={leave} />}
    </header>
  );
}
