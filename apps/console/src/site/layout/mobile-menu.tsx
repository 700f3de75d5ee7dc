import { useEffect, useRef } from 'react';
import { NavLink } from '../routing/routing.js';
import { useSignedIn } from '../../shared/auth/stored-user.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { useInvited } from '../routing/invite.js';
import { toast } from '../../shared/ui/toast.js';
import { LINKS } from './links.js';

type MobileMenuProps = {
  /** Something was chosen, or the person went elsewhere. */
  close: () => void;
  /** Escape: closed, and back to the button that opened it. */
  leave: () => void;
};

/** Phones: the same links, and a console entry that only says where the console is used (specification §2). */
export function MobileMenu({ close, leave }: MobileMenuProps) {
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
    <nav className="mm" id="mobile-menu" aria-label={shared('mainNav')} ref={ref}>
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
