import '@ant-design/v5-patch-for-react-19';
import './console.css';
import { type NotificationProvider, Refine, type RefineProps, type ResourceProps } from '@refinedev/core';
import { routerProvider } from './router-provider.js';
import { ConfigProvider, type ThemeConfig } from 'antd';
import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';
import { dataProvider } from './data-provider.js';
import { messagesOf, useMessages } from '../shared/i18n/messages.js';
import { createLiveProvider } from './live-provider.js';
import { notifyAccountChanged, onLive } from '../shared/live/live.js';
import { isDark, subscribeTheme } from '../shared/theme/theme.js';
import { toast } from '../shared/ui/toast.js';
import { accessControlProvider } from './access-provider.js';
import { consoleTheme } from './antd-theme.js';
import { authProvider } from './auth-provider.js';
import { antdLocale, i18nProvider } from './console-locale.js';
import { consolePages, nameOf, type PageMeta } from './page-table.js';
import { Shell } from './shell.js';

/** Every page of the console as a resource of Refine. Called once the texts are loaded. */
function consoleResources(): ResourceProps[] {
  const t = messagesOf('console');
  return consolePages.map((row) => ({
    name: nameOf(row),
    list: row.path,
    meta: {
      label: t(row.name),
      who: row.who,
      group: row.menu?.group ?? null,
      icon: row.menu?.icon ?? null,
      hide: row.menu === undefined,
    } satisfies PageMeta,
  }));
}

/**
 * Refine's notifications are toasts like all others. Reads switch their error notification off, because the page shows a failure in
 * the place of the data; a refused change shows the reason with `refusalNotification` (use-endpoint.ts). Only Refine's own fallbacks have a key:
 * they name a status code, for reads that cannot be switched off.
 */
const notifications: NotificationProvider = {
  open: ({ type, message, key }) => {
    if (type === 'success') toast.success(message);
    if (type === 'error' && key === undefined) toast.error(message);
  },
  close: () => undefined,
};

/** A preference of the system, such as `prefers-contrast: more`. */
function useMedia(query: string): boolean {
  const media = useMemo(() => matchMedia(query), [query]);
  const subscribe = useCallback(
    (listener: () => void) => {
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [media],
  );
  return useSyncExternalStore(subscribe, () => media.matches);
}

/** The antd theme follows the member's choice, else the system's, as the style sheets do. */
function useConsoleTheme(): ThemeConfig {
  const dark = useSyncExternalStore(subscribeTheme, isDark);
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  const moreContrast = useMedia('(prefers-contrast: more)');
  return consoleTheme({ mode: dark ? 'dark' : 'light', reducedMotion, moreContrast });
}

const PROVIDERS = {
  dataProvider,
  authProvider,
  i18nProvider,
  accessControlProvider,
  routerProvider,
  notificationProvider: notifications,
  liveProvider: createLiveProvider({ on: onLive, notifyAccountChanged }),
} satisfies RefineProps;

const OPTIONS: RefineProps['options'] = {
  disableTelemetry: true,
  syncWithLocation: true,
  warnWhenUnsavedChanges: false,
  liveMode: 'auto',
  // Offline, a request fails at once. Paused until the network is back, a change would be sent unexpectedly late.
  reactQuery: {
    clientConfig: {
      defaultOptions: {
        queries: { retry: false, staleTime: 0, networkMode: 'always' },
        mutations: { networkMode: 'always' },
      },
    },
  },
};

/** The nonce with which antd may insert styles into this document (docs/decisions/0027). */
const CSP = { nonce: document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '' };

/** The member console: Refine and its providers around the shell.  */
export function Console() {
  const theme = useConsoleTheme();
  const [resources] = useState(consoleResources);
  // antd's own label is English in every language.
  const closable = { 'aria-label': useMessages('shared')('close') };
  return (
    <ConfigProvider
      theme={theme}
      csp={CSP}
      locale={antdLocale()}
      button={{ autoInsertSpace: false }}
      modal={{ closable, centered: true }}
      drawer={{ closable }}
    >
      <Refine {...PROVIDERS} resources={resources} options={OPTIONS}>
        <Shell />
      </Refine>
    </ConfigProvider>
  );
}
