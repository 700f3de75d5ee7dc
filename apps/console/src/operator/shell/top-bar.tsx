import { useGetIdentity, useLogout } from '@refinedev/core';
import { getShell } from '@yiqiao/contracts/operator/shell';
import { OPERATOR_ROLES } from '@yiqiao/domain/operators';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router';
import { language } from '../../shared/i18n/language.js';
import { useMessages } from '../../shared/i18n/messages.js';
import { useEndpoint } from '../../shared/refine/use-endpoint.js';
import { THEMES } from '../../shared/theme/theme-cookie.js';
import { chooseTheme, currentTheme, subscribeTheme } from '../../shared/theme/theme.js';
import { Icon } from '../../shared/ui/icon.js';
import { LanguageSwitch } from '../../shared/ui/language-switch.js';
import { Menu, MenuItem } from '../../shared/ui/menu.js';
import type { Session } from '../shared/api/session.js';
import { Wordmark } from '../shared/wordmark.js';
import { Find } from './find.js';
import { Place } from './place.js';
import { Rail } from './rail.js';

const THEME_NAMES = { system: 'themeSystem', light: 'themeLight', dark: 'themeDark' } as const;

function AccountMenu() {
  const t = useMessages('operator');
  const shared = useMessages('shared');
  const { data: operator } = useGetIdentity<Session>();
  const { mutate: signOut } = useLogout();
  const chosen = useSyncExternalStore(subscribeTheme, currentTheme);
  if (!operator) return null;
  return (
    <Menu
      label={t('account')}
      buttonClass="account-button"
      button={
        <>
          <span className="avatar" aria-hidden="true">
            {[...operator.name][0]?.toUpperCase()}
          </span>
          <span className="account-name">
            <span className="dynamic-text">{operator.name}</span>
            <small>{OPERATOR_ROLES[operator.role][language]}</small>
          </span>
          <Icon name="down" />
        </>
      }
    >
      <div role="group" aria-label={shared('theme')}>
        {THEMES.map((theme) => (
          <MenuItem key={theme} current={theme === chosen} onSelect={() => chooseTheme(theme)}>
            {shared(THEME_NAMES[theme])}
          </MenuItem>
        ))}
      </div>
      <hr />
      <MenuItem onSelect={() => signOut()}>
        <Icon name="signOut" />
        {t('signOut')}
      </MenuItem>
    </Menu>
  );
}

/** A wire time in milliseconds; only differences mean something. */
const wireMs = (time: string): number => Date.parse(`${time.replace(' ', 'T')}Z`);

/** The service's time of day, which ticks on from the server's answer. */
function Clock({ now, readAt, timeZone }: { now: string; readAt: number; timeZone: string }) {
  const [elapsed, setElapsed] = useState(() => Date.now() - readAt);
  useEffect(() => {
    const timer = setInterval(() => setElapsed(Date.now() - readAt), 1_000);
    return () => clearInterval(timer);
  }, [readAt]);
  return (
    <span className="shell-clock numeric" title={timeZone}>
      {new Date(wireMs(now) + elapsed).toISOString().slice(11, 19)}
    </span>
  );
}

/** Below 640 px the side bar opens from the left. */
function PhoneMenu() {
  const t = useMessages('operator');
  const drawer = useRef<HTMLDialogElement>(null);
  const close = (): void => drawer.current?.close();
  return (
    <>
      <button type="button" className="burger" aria-label={t('openMenu')} onClick={() => drawer.current?.showModal()}>
        <Icon name="menu" />
      </button>
      <dialog
        className="rail-drawer"
        ref={drawer}
        aria-label={t('openMenu')}
        onClick={(event) => event.target === drawer.current && close()}
      >
        <button type="button" className="close-button" aria-label={t('closeMenu')} onClick={close}>
          <Icon name="close" />
        </button>
        <Rail onGo={close} />
      </dialog>
    </>
  );
}

export function TopBar() {
  const t = useMessages('operator');
  const { data: shell, dataUpdatedAt } = useEndpoint(getShell, {});
  return (
    <header className="shell-bar">
      <PhoneMenu />
      <Link className="logo" to="/">
        <Wordmark />
      </Link>
      <Place />
      <Find />
      <div className="shell-bar-end">
        {shell && <span className="environment-tag">{t(`environment_${shell.environment}`)}</span>}
        {shell && <Clock now={shell.now} readAt={dataUpdatedAt} timeZone={shell.timeZone} />}
        <LanguageSwitch />
        <AccountMenu />
      </div>
    </header>
  );
}
