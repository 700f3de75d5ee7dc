/**
 * Light, dark or system theme. Style sheets read `<html data-theme>` (tokens.css), which public/theme.js sets before the first paint and
 * this module afterwards. A change is broadcast to other tabs, which read the cookie again.
 */
import { inBrowser } from '../in-browser.js';
import { cookieFor, themeOf, type Theme } from './theme-cookie.js';

// The server renders the site's switch, and has neither.
const channel = inBrowser ? new BroadcastChannel('theme') : null;
const systemIsDark = inBrowser ? matchMedia('(prefers-color-scheme: dark)') : null;
const listeners = new Set<() => void>();

export const currentTheme = (): Theme => themeOf(document.cookie);

/** Whether the page is dark now. */
export function isDark(): boolean {
  const theme = currentTheme();
  return theme === 'system' ? systemIsDark?.matches === true : theme === 'dark';
}

function apply(): void {
  const theme = currentTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  // The colour of the browser's interface on phones.
  for (const colour of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const { scheme } = colour.dataset;
    const chosen = scheme === theme ? 'all' : 'not all';
    colour.media = theme === 'system' ? `(prefers-color-scheme: ${scheme ?? ''})` : chosen;
  }
  for (const listener of listeners) listener();
}

export function chooseTheme(theme: Theme): void {
  document.cookie = cookieFor(theme);
  apply();
  channel?.postMessage('chosen');
}

/** Called once at start: follows changes made here or in another tab. */
export function followTheme(): void {
  channel?.addEventListener('message', apply);
  // A page restored from the back/forward cache may have missed a change.
  addEventListener('pageshow', ({ persisted }) => persisted && apply());
  apply();
}

/** Calls `listener` whenever the choice or the system's theme may have changed. */
export function subscribeTheme(listener: () => void): () => void {
  listeners.add(listener);
  systemIsDark?.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    systemIsDark?.removeEventListener('change', listener);
  };
}
