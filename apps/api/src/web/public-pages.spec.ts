import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PublicPages, type SiteData } from './public-pages.js';

const SITE = 'https://yiqiao.example';
const BUILT = 'https://site.invalid';
const ADDRESSES = ['/home', '/price', '/login', '/login?type=2', '/productDesc/zzhgl'];

/** Stands in for the renderer of the build, whose pages contain their data. */
const PROGRAM = `export const render = async ({ address, language, data, publicUrl }) => {
  if (data.broken === address) throw new Error('cannot draw ' + address);
  return [address, language, publicUrl, address === '/price' ? JSON.stringify(data) : ''].join(' ');
};`;

let folder = '';
/** The data of the build: of a shop in production, and of a trial. */
const [FIRST, TRIAL] = [{ plans: [0] }, { plans: [0], service: ['sample'] }];

let data: SiteData | Error = FIRST;
let errors: unknown[] = [];
let open: PublicPages | undefined;

const opened = async (): Promise<PublicPages> => {
  open = await PublicPages.open({
    folder,
    publicUrl: SITE,
    data: () => (data instanceof Error ? Promise.reject(data) : Promise.resolve(data)),
    onError: (error) => errors.push(error),
  });
  if (!open) throw new Error('there is nothing to open');
  return open;
};

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'public-pages-'));
  [data, errors] = [FIRST, []];
  for (const name of ['pages', 'trial/pages']) mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, 'render.js'), PROGRAM);
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const pages = ADDRESSES.flatMap((address, index) =>
    (['zh', 'en'] as const).map((language) => {
      const file = `pages/${index}.${language}.html`;
      writeFileSync(path.join(folder, file), `built ${address} ${language} ${BUILT}/x ${BUILT}/y`);
      writeFileSync(path.join(folder, 'trial', file), `trial ${address} ${language} ${BUILT}/x`);
      return { address, language, listed: !address.startsWith('/login'), file };
    }),
  );
  const drawn = [
    { folder: '.', data: FIRST },
    { folder: 'trial', data: TRIAL },
  ];
  writeFileSync(path.join(folder, 'pages.json'), JSON.stringify({ publicUrl: BUILT, drawn, pages }));
});
afterEach(() => {
  open?.close();
  open = undefined;
  rmSync(folder, { recursive: true, force: true });
});

describe('public pages', () => {
  it('are served in the language of the address, the cookie, or Chinese, in this order', async () => {
    const pages = await opened();
    const language = (url: string, cookie?: string) => pages.pageFor(url, cookie)?.language;
    expect(language('/home', undefined)).toBe('zh');
    expect(language('/home', 'theme=dark; language=en')).toBe('en');
    expect(language('/home', 'xlanguage=en; language=fr')).toBe('zh');
    expect(language('/home?lang=zh', 'language=en')).toBe('zh');
    expect(language('/home?inviteCode=A&lang=en', undefined)).toBe('en');
    expect(language('/home?lang=xx', 'language=en')).toBe('en');
  });

  it('are found by path in any case, login by its type, and home for unknown paths', async () => {
    const pages = await opened();
    const first = (url: string) => pages.pageFor(url, undefined)?.html.split(' ')[1];
    expect(first('/PRICE/?x=1')).toBe('/price');
    expect(first('/productdesc/zzhgl')).toBe('/productDesc/zzhgl');
    expect([first('/login'), first('/login?type=1'), first('/login?inviteCode=A&type=2')]).toEqual([
      '/login',
      '/login',
      '/login?type=2',
    ]);
    expect(['/', '/index', '/nowhere', '/productDesc/nothing', '//evil', '/%00'].map(first)).toEqual(
      Array(6).fill('/home'),
    );
  });

  it('do not include the console', async () => {
    const pages = await opened();
    for (const url of ['/UserCenterIndex', '/usercenter/x?lang=en', '/UserWorkSpace'])
      expect([url, pages.pageFor(url, undefined)]).toEqual([url, undefined]);
    expect(pages.pageFor('/UserCenterExit', undefined)).toBeDefined();
  });

  it('contain the address of this site instead of the placeholder', async () => {
    const pages = await opened();
    expect(pages.pageFor('/home', undefined)?.html).toBe(`built /home zh ${SITE}/x ${SITE}/y`);
    expect(pages.listed).toEqual(['/home', '/price', '/productDesc/zzhgl']);
  });

  it('are those rendered with the current data, without re-rendering', async () => {
    rmSync(path.join(folder, 'render.js'));
    data = TRIAL;
    const pages = await opened();
    await pages.check();
    expect(pages.pageFor('/home?lang=en', undefined)?.html).toBe(`trial /home en ${SITE}/x`);
    expect(errors).toEqual([]);
  });

  it('are the fallback for other data until they are re-rendered', async () => {
    rmSync(path.join(folder, 'render.js'));
    data = { plans: [1] };
    const pages = await opened();
    expect(pages.pageFor('/home', undefined)?.html).toContain('built /home');
    expect(errors).toHaveLength(1);
  });

  it('are missing if nothing was built', async () => {
    rmSync(path.join(folder, 'pages.json'));
    await expect(opened()).rejects.toThrow('there is nothing to open');
  });
});

describe('page data', () => {
  it('is rendered again when it changes, and only changed pages are new objects', async () => {
    data = { plans: [1] };
    const pages = await opened();
    const [home, price] = [pages.pageFor('/home', undefined), pages.pageFor('/price', undefined)];
    expect(price?.html).toContain('{"plans":[1]}');
    await pages.check();
    expect(pages.pageFor('/price', undefined)).toBe(price);
    data = { plans: [2] };
    await pages.check();
    expect(pages.pageFor('/price', undefined)?.html).toContain('{"plans":[2]}');
    expect(pages.pageFor('/price', undefined)?.etag).not.toBe(price?.etag);
    expect(pages.pageFor('/home', undefined)).toBe(home);
  });

  it('stays as it was while it cannot be read, and is updated later', async () => {
    data = new Error('the database is away');
    const pages = await opened();
    expect(pages.pageFor('/price', undefined)?.html).toContain('built /price');
    expect(errors).toEqual([data]);
    data = { plans: [3] };
    await pages.check();
    expect(pages.pageFor('/price', undefined)?.html).toContain('{"plans":[3]}');
  });

  it('is rendered again after a failure', async () => {
    data = { broken: '/price' };
    const pages = await opened();
    expect(errors).toEqual([expect.objectContaining({ message: 'cannot draw /price' })]);
    expect(pages.pageFor('/price', undefined)?.html).toContain('built /price');
    await pages.check();
    expect(errors).toHaveLength(2);
  });

  it('is read once for simultaneous requests', async () => {
    const pages = await opened();
    expect(pages.check()).toBe(pages.check());
  });
});
