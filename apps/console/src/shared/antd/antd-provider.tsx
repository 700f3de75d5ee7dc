import { ConfigProvider, type ThemeConfig } from 'antd';
import { useCallback, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { useMessages } from '../i18n/messages.js';
import { antdLocale } from '../refine/locale.js';
import { isDark, subscribeTheme } from '../theme/theme.js';
import { consoleTheme } from './antd-theme.js';

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

/** The antd theme follows the person's choice, else the system's, as the style sheets do. */
function useConsoleTheme(): ThemeConfig {
  const dark = useSyncExternalStore(subscribeTheme, isDark);
  const reducedMotion = useMedia('(prefers-reduced-motion: reduce)');
  const moreContrast = useMedia('(prefers-contrast: more)');
  return consoleTheme({ mode: dark ? 'dark' : 'light', reducedMotion, moreContrast });
}

/** The nonce with which antd may insert styles into this document (docs/decisions/0027). */
const CSP = { nonce: document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? '' };

/** antd in our theme and language. `token`: what this entry has otherwise than the theme. */
export function AntdProvider({ token, children }: { token?: ThemeConfig['token']; children: ReactNode }) {
  const theme = useConsoleTheme();
  // antd's own label is English in every language.
  const closable = { 'aria-label': useMessages('shared')('close') };
  return (
    <ConfigProvider
      theme={token ? { ...theme, token: { ...theme.token, ...token } } : theme}
      csp={CSP}
      locale={antdLocale()}
      button={{ autoInsertSpace: false }}
      modal={{ closable, centered: true }}
      drawer={{ closable }}
    >
      {children}
    </ConfigProvider>
  );
}
