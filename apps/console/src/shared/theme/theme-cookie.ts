/** The cookie that remembers how the pages shall look (docs/decisions/0025); without one they follow the system. */

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const YEAR_S = 365 * 24 * 60 * 60;

/** What `document.cookie` says; anything else than light or dark is the system's. */
export const themeOf = (cookies: string): Theme =>
  (/(?:^|; )theme=(light|dark)(?:;|$)/.exec(cookies)?.[1] as 'light' | 'dark' | undefined) ?? 'system';

/** What is written to `document.cookie` to remember `theme`: for a year, or away with it. */
export const cookieFor = (theme: Theme): string =>
  `theme=${theme === 'system' ? '' : theme}; Path=/; Max-Age=${theme === 'system' ? 0 : YEAR_S}; SameSite=Lax`;
