/** The files that a page needs beside the entry, so that the document can preload them. */
import fontsCss from '../../shared/fonts.css?raw';
import { language } from '../../shared/i18n/language.js';
import type { SitePage } from '../page-table.js';

/** The client build's manifest, injected by vite.render.config.ts. */
type Chunk = { file: string; src?: string; imports?: string[]; css?: string[] };
declare const CLIENT: { readonly template: string; readonly manifest: Readonly<Record<string, Chunk>> };

/** The built index.html. */
export const template = CLIENT.template;

const chunk = (name: string): Chunk => {
  const found = CLIENT.manifest[name];
  if (!found) throw new Error(`the manifest has no ${name}`);
  return found;
};

/** The URL of a source file such as a font. */
const fileOf = (source: string): string => `/${chunk(source).file}`;

/** Scripts and styles of these chunks that the entry's document does not load yet. */
function filesFor(names: readonly string[]): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const visited = new Set<string>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    const { file, imports = [], css = [] } = chunk(name);
    imports.forEach(visit);
    scripts.add(`/${file}`);
    css.forEach((sheet) => styles.add(`/${sheet}`));
  };
  names.forEach(visit);
  const isMissing = (file: string): boolean => !template.includes(`"${file}"`);
  return { scripts: [...scripts].filter(isMissing), styles: [...styles].filter(isMissing) };
}

/** A subset of a font, as declared in fonts.css. */
type FontSubset = { family: string; source: string; has: (character: number) => boolean };

const subsets: readonly FontSubset[] = fontsCss
  .split('@font-face')
  .slice(1)
  .flatMap((rule) => {
    const family = /font-family: '([^']+)'/.exec(rule)?.[1];
    const file = /url\('\.\/fonts\/([^']+)'\)/.exec(rule)?.[1];
    if (family === undefined || file === undefined) return [];
    const ranges = [...rule.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, from = '', to = from]) => [
      parseInt(from, 16),
      parseInt(to, 16),
    ]);
    const has = (character: number): boolean =>
      ranges.some(([from = 0, to = 0]) => from <= character && character <= to);
    return [{ family, source: `src/shared/fonts/${file}`, has }];
  });

/** As in tokens.css: the Latin font, then, in Chinese only, the one with the characters of headings. */
const HEADING = language === 'en' ? ['YQ Serif En'] : ['YQ Serif', 'YQ Display'];
const TEXT = language === 'en' ? ['YQ Sans En'] : ['YQ Sans'];

/** More font files than this would delay the page's text. */
const MAX_FONTS = 4;

/** The subsets that contain the characters, searched in the order of the families. */
function subsetsWith(text: string, families: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const letter of new Set(text)) {
    const character = letter.codePointAt(0) ?? 0;
    const subset = families
      .flatMap((name) => subsets.filter(({ family }) => family === name))
      .find(({ has }) => has(character));
    if (subset) found.add(subset.source);
  }
  return found;
}

/** Fonts for the page's title and its text, to be loaded with the document (DESIGN §2). */
function fontsFor(markup: string): string[] {
  const [, title = ''] = /<h1[^>]*>(.*?)<\/h1>/s.exec(markup) ?? [];
  const words = title.replaceAll(/<[^>]*>/g, '');
  return [...new Set([...subsetsWith(words, HEADING), ...subsetsWith('a', TEXT)])].slice(0, MAX_FONTS);
}

const CODE: Readonly<Record<SitePage['path'], readonly string[]>> = {
  '/home': ['home/home-page.tsx'],
  '/login': ['login/login-page.tsx'],
  '/term-and-condition': ['agreement/agreement-page.tsx'],
  '/UserCenterExit': ['exit/exit-page.tsx'],
  '/price': ['price/price-page.tsx'],
  '/useDoc': ['use-doc/use-doc-page.tsx', 'use-doc/content.ts', `use-doc/content.${language}.ts`],
  '/developers': ['developers/developers-page.tsx', 'developers/content.ts', `developers/content.${language}.ts`],
  '/contactUs': ['contact/contact-page.tsx'],
  '/download': ['download/download-page.tsx'],
  '/productDesc/:section?': ['tutorial/tutorial-page.tsx', 'tutorial/content.ts', `tutorial/content.${language}.ts`],
  '/privacy': ['policies/privacy-page.tsx', 'policies/content.ts', `policies/content.${language}.ts`],
  '/refund': ['policies/refund-page.tsx', 'policies/content.ts', `policies/content.${language}.ts`],
  '/status': ['status/status-page.tsx'],
  '/ledger-proof': ['ledger-proof/ledger-proof-page.tsx'],
  '/changelog': ['changelog/changelog-page.tsx', 'changelog/entries.ts', `changelog/entries.${language}.ts`],
  '/PaySuccess': ['pay-success/pay-success-page.tsx'],
};

function messagesChunk(namespace: string): string {
  const found = Object.keys(CLIENT.manifest).find((name) => name.endsWith(`/${namespace}/messages.${language}.ts`));
  if (!found) throw new Error(`no messages of ${namespace} were built`);
  return found;
}

type PageAssets = { scripts: string[]; styles: string[]; fonts: string[] };

/** `markup` decides which font subsets are needed. Throws when the build lacks a file that is named here. */
export function assetsOf({ path, messages }: SitePage, markup: string): PageAssets {
  const names = [
    ...CODE[path].map((name) => `src/site/pages/${name}`),
    ...['shared', 'site', ...messages].map((namespace) => messagesChunk(namespace)),
  ];
  return { ...filesFor(names), fonts: fontsFor(markup).map(fileOf) };
}
