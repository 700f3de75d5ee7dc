import type { ThemeConfig } from 'antd';
import { useSyncExternalStore } from 'react';
import { consoleTheme } from './antd-theme.js';

const dark = matchMedia('(prefers-color-scheme: dark)');
const calm = matchMedia('(prefers-reduced-motion: reduce)');

const subscribe = (listener: () => void): (() => void) => {
  for (const query of [dark, calm]) query.addEventListener('change', listener);
  return () => {
    for (const query of [dark, calm]) query.removeEventListener('change', listener);
  };
};

/** The antd theme follows the system, as the style sheets do. */
export function useConsoleTheme(): ThemeConfig {
  const isDark = useSyncExternalStore(subscribe, () => dark.matches);
  const isCalm = useSyncExternalStore(subscribe, () => calm.matches);
  return consoleTheme(isDark ? 'dark' : 'light', isCalm);
}
