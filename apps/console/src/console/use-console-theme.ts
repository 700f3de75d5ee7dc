import type { ThemeConfig } from 'antd';
import { useSyncExternalStore } from 'react';
import { isDark, subscribeTheme } from '../shared/theme/theme.js';
import { consoleTheme } from './antd-theme.js';

const calm = matchMedia('(prefers-reduced-motion: reduce)');

const subscribeCalm = (listener: () => void): (() => void) => {
  calm.addEventListener('change', listener);
  return () => calm.removeEventListener('change', listener);
};

/** The antd theme is what was chosen, else the system's, as in the style sheets. */
export function useConsoleTheme(): ThemeConfig {
  const dark = useSyncExternalStore(subscribeTheme, isDark);
  const isCalm = useSyncExternalStore(subscribeCalm, () => calm.matches);
  return consoleTheme(dark ? 'dark' : 'light', isCalm);
}
