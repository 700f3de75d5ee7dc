import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { cookieFor, languageIn, languageOf } from './language.js';

const script = readFileSync(new URL('../../../public/first-paint.js', import.meta.url), 'utf8');

type Arrival = { href?: string; stored?: string | null; cookie?: string; lang?: string; framed?: true };

/** What the script in the page's head does with a page that arrives so. */
function arrive({ href = '/home', stored = null, cookie = '', lang = 'zh-CN', framed }: Arrival) {
  const dataset: { wait?: string; framed?: string } = {};
  const { pathname, search, hash } = new URL(href, 'http://x');
  const replaced: string[] = [];
  const own = () => {
    const window: { parent?: unknown } = {};
    window.parent = window;
    return window;
  };
  runInNewContext(script, {
    document: { cookie, documentElement: { dataset, lang }, addEventListener: () => undefined },
    location: { pathname, search, hash, replace: (to: string) => replaced.push(to) },
    localStorage: {
      getItem: () => {
        if (stored === 'forbidden') throw new Error('storage is switched off');
        return stored;
      },
    },
    window: framed ? { parent: {} } : own(),
    URLSearchParams,
    setTimeout: () => 0,
  });
  return { waits: dataset.wait !== undefined, framed: dataset.framed !== undefined, replaced };
}

describe('the language of a page', () => {
  it.each([
    [{}, 'zh'],
    [{ stored: 'en' }, 'en'],
    [{ cookie: 'theme=dark; language=en' }, 'en'],
    [{ stored: 'zh', cookie: 'language=en' }, 'zh'],
    [{ stored: 'en', href: '/home?lang=zh' }, 'zh'],
    [{ stored: 'fr', href: '/home?lang=de', cookie: 'language=xx' }, 'zh'],
    [{ stored: 'forbidden', cookie: 'language=en' }, 'en'],
    [{ cookie: 'mylanguage=en' }, 'zh'],
  ] as const)('%j is %s, for the page and for the script before its first pixel', (arrival: Arrival, language) => {
    const named = new URL(arrival.href ?? '/', 'http://x').searchParams.get('lang');
    const stored = arrival.stored === 'forbidden' ? null : (arrival.stored ?? null);
    expect(languageOf([named, stored, languageIn(arrival.cookie ?? '')])).toBe(language);
    expect(arrive({ ...arrival, lang: language === 'en' ? 'en-US' : 'zh-CN' }).waits).toBe(false);
    expect(arrive({ ...arrival, lang: language === 'en' ? 'zh-CN' : 'en-US' }).waits).toBe(true);
  });

  it.each(['zh', 'en'] as const)('%s is remembered for a year, on safe lines only where there are any', (language) => {
    const [pair = '', ...rules] = cookieFor(language, 'https:').split('; ');
    expect(languageIn(`a=1; ${pair}; b=2`)).toBe(language);
    expect(rules).toEqual(['Path=/', 'Max-Age=31536000', 'SameSite=Lax', 'Secure']);
    expect(cookieFor(language, 'http:')).not.toContain('Secure');
  });
});

describe('a page that arrives', () => {
  it('redirects from the old address of the downloads without rendering', () => {
    expect(arrive({ href: '/?lang=zh#/download' })).toMatchObject({ replaced: ['/download?lang=zh'], waits: true });
    expect(arrive({ href: '/download#/download' })).toMatchObject({ replaced: [], waits: false });
    expect(arrive({ href: '/#/other' })).toMatchObject({ replaced: [], waits: false });
  });

  it('detects whether it is in a frame', () => {
    expect(arrive({ framed: true }).framed).toBe(true);
  });
});
