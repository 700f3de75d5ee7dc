/** The cookie with the chosen theme (docs/decisions/0025); without it pages follow the system. */

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const YEAR_S = 365 * 24 * 60 * 60;

/** The theme in `document.cookie`, `system` by default. */
export const themeOf = (cookies: string): Theme =>
  (/(?:^|; )theme=(light|dark)(?:;|$)/.exec(cookies)?.[1] as 'light' | 'dark' | undefined) ?? 'system';

/** The cookie that stores `theme` for a year, or removes it. */
export const cookieFor = (theme: Theme): string =>
  `theme=${theme === 'system' ? '' : theme}; Path=/; Max-Age=${theme === 'system' ? 0 : YEAR_S}; SameSite=Lax`;
