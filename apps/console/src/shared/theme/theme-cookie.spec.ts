import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { cookieFor, themeOf, THEMES } from './theme-cookie.js';

const script = readFileSync(new URL('../../../public/theme.js', import.meta.url), 'utf8');

/** What the script in the page's head writes on <html> when these are the cookies. */
function written(cookie: string): string | undefined {
  const dataset: { theme?: string } = {};
  runInNewContext(script, { document: { cookie, documentElement: { dataset } } });
  return dataset.theme;
}

describe('the cookie of the theme', () => {
  it.each([
    ['', 'system'],
    ['theme=dark', 'dark'],
    ['a=1; theme=light; b=2', 'light'],
    ['theme=', 'system'],
    ['theme=blue', 'system'],
    ['theme=darker', 'system'],
    ['mytheme=dark', 'system'],
  ])('%j is %s, for the page and for the script before its first pixel', (cookie, theme) => {
    expect(themeOf(cookie)).toBe(theme);
    expect(written(cookie) ?? 'system').toBe(theme);
  });

  it.each(THEMES)('remembers %s', (theme) => {
    const [pair = ''] = cookieFor(theme).split('; ');
    expect(themeOf(pair)).toBe(theme);
    expect(cookieFor(theme)).toMatch(/; Path=\/; Max-Age=\d+; SameSite=Lax$/);
  });

  it('forgets it with "as the system has it"', () => {
    expect(cookieFor('system')).toBe('theme=; Path=/; Max-Age=0; SameSite=Lax');
  });
});
