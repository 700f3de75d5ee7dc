import { useEffect, useRef } from 'react';
import { useSignedIn } from '../../shared/auth/stored-user.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { toast } from '../../shared/ui/toast.js';
import { useInvited } from '../shared/invite.js';
import { NavLink } from '../shared/routing.js';
import { LINKS } from './links.js';

export type MobileMenuProps = {
  /** After a choice or a click outside. */
  close: () => void;
  /** On Escape: closes and returns the focus to the button. */
  leave: () => void;
};

/** On phones: the same links, and a console entry that only explains where the console works (specification §2). */
export default function MobileMenu({ close, leave }: MobileMenuProps) {
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
