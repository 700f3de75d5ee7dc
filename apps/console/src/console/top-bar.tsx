import { useLogout } from '@refinedev/core';
import { useRef, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { useUser } from '../shared/auth/stored-user.js';
import { useMessages } from '../shared/i18n/messages.js';
import { chooseTheme, currentTheme, subscribeTheme } from '../shared/theme/theme.js';
import { THEMES } from '../shared/theme/theme-cookie.js';
import { Icon } from '../shared/ui/icon.js';
import { LanguageSwitch } from '../shared/ui/language-switch.js';
import { Logo } from '../shared/site/logo.js';
import { Menu, MenuItem } from '../shared/ui/menu.js';
import { ConnectionSign } from './connection-sign.js';
import { SideMenu } from './side-menu.js';

const LINKS = [
  { href: '/home', text: 'toHome' },
  { href: '/price', text: 'toPrice' },
  { href: '/useDoc', text: 'toUseDoc' },
  { href: '/download', text: 'toDownload' },
  { href: '/contactUs', text: 'toContact' },
] as const;

function MainLinks({ onGo }: { onGo?: () => void }) {
  const t = useMessages('console');
  const shared = useMessages('shared');
  return (
    <nav className="main-nav" aria-label={shared('mainNav')}>
      {LINKS.map(({ href, text }) => (
        <a key={href} href={href} onClick={onGo}>
          {t(text)}
        </a>
      ))}
    </nav>
  );
}

const THEME_NAMES = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

/** Three menu items: system, light, dark (docs/decisions/0025). */
function ThemeSwitch() {
  const t = useMessages('shared');
  const chosen = useSyncExternalStore(subscribeTheme, currentTheme);
  return (
    <div role="group" aria-label={t('theme')}>
      {THEMES.map((theme) => (
        <MenuItem key={theme} current={theme === chosen} onSelect={() => chooseTheme(theme)}>
          {t(THEME_NAMES[theme])}
        </MenuItem>
      ))}
    </div>
  );
}

function AvatarMenu() {
  const t = useMessages('console');
  const shared = useMessages('shared');
  const user = useUser();
  const navigate = useNavigate();
  const { mutate: logOut } = useLogout();
  const name = user?.nickname ?? '';
  return (
    <Menu
      label={t('userMenu')}
      buttonClass="account-button"
      button={
        <>
          <span className="avatar" aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
          <span className="dynamic-text">{name}</span>
          <Icon name="down" />
        </>
      }
    >
      <MenuItem onSelect={() => void navigate('/UserCenterIndex')}>
        <Icon name="grid" />
        {shared('userCenter')}
      </MenuItem>
      <MenuItem onSelect={() => void navigate('/UserCenterChangePassword')}>
        <Icon name="lock" />
        {t('pageChangePassword')}
      </MenuItem>
      <hr />
      <ThemeSwitch />
      <hr />
      <MenuItem onSelect={() => logOut()}>
        <Icon name="signOut" />
        {t('exit')}
      </MenuItem>
    </Menu>
  );
}

/** Below 1024 px the side menu and the main links open from the left. */
function MobileMenu() {
  const t = useMessages('shared');
  const drawer = useRef<HTMLDialogElement>(null);
  const close = (): void => drawer.current?.close();
  return (
    <>
      <button type="button" className="burger" aria-label={t('menu')} onClick={() => drawer.current?.showModal()}>
        <Icon name="menu" />
      </button>
      <dialog
        className="side-drawer"
        ref={drawer}
        aria-label={t('menu')}
        onClick={(event) => event.target === drawer.current && close()}
      >
        <button type="button" className="close-button" aria-label={t('closeMenu')} onClick={close}>
          <Icon name="close" />
        </button>
        <SideMenu onGo={close} />
        <MainLinks onGo={close} />
      </dialog>
    </>
  );
}

export function TopBar() {
  return (
    <header className="top-bar">
      <MobileMenu />
      <a className="logo" href="/home">
        <Logo />
      </a>
      <MainLinks />
      <div className="top-bar-actions">
        <ConnectionSign />
        <LanguageSwitch />
        <AvatarMenu />
      </div>
    </header>
  );
}
