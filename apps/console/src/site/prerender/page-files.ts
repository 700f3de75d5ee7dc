/** What browsers need of a page beside the entry, so that they fetch it with the document and not after it. */
import type { Language } from '@yiqiao/contracts/envelope';
import { language } from '../../shared/i18n/language.js';
import type { SitePage } from '../page-table.js';
import { fileOf, filesFor, sources } from './client-files.js';
import { fontsFor } from './fonts-for.js';

const CODE: Readonly<Record<SitePage['path'], readonly string[]>> = {
  '/home': ['home/home-page.tsx'],
  '/login': ['login/login-page.tsx'],
  '/term-and-condition': ['agreement/agreement-page.tsx'],
  '/UserCenterExit': ['exit/exit-page.tsx'],
  '/price': ['price/price-page.tsx'],
  '/useDoc': ['use-doc/use-doc-page.tsx', 'use-doc/content.ts', `use-doc/content.${language}.ts`],
  '/contactUs': ['contact/contact-page.tsx'],
  '/download': ['download/download-page.tsx'],
  '/productDesc/:section?': ['tutorial/tutorial-page.tsx', 'tutorial/content.ts', `tutorial/content.${language}.ts`],
  '/privacy': ['policies/privacy-page.tsx', 'policies/content.ts', `policies/content.${language}.ts`],
  '/refund': ['policies/refund-page.tsx', 'policies/content.ts', `policies/content.${language}.ts`],
  '/PaySuccess': ['pay-success/pay-success-page.tsx'],
};

/** The chunk with the messages of a part. */
function messagesChunk(namespace: string, spoken: Language): string {
  const found = sources.find((name) => name.endsWith(`/${namespace}/messages.${spoken}.ts`));
  if (!found) throw new Error(`no messages of ${namespace} were built`);
  return found;
}

export type PageFiles = { scripts: string[]; styles: string[]; fonts: string[] };

/** `markup`: what the page begins with decides which parts of the faces it needs. Throws when the build has not what is named here. */
export function filesOfPage({ path, messages }: SitePage, markup: string): PageFiles {
  const code = CODE[path];
  if (!code) throw new Error(`prerender/page-files.ts does not know ${path}`);
  const names = [
    ...code.map((name) => `src/site/pages/${name}`),
    ...['shared', 'site', ...messages].map((namespace) => messagesChunk(namespace, language)),
  ];
  return { ...filesFor(names), fonts: fontsFor(markup).map(fileOf) };
}
