/** The pages of the site (specification §2): router, prerendering and titles read this table. */
import type { Namespace } from '../shared/i18n/messages.js';
import type { PageRow } from '../shared/page-frame.js';
import { plainPath } from './paths.js';
import type zh from './messages.zh.js';

/** `name`: the key of its title in site/messages. */
type Row = PageRow & {
  name: Extract<keyof typeof zh, `page${string}`>;
  /** Whose texts it shows, beside those of every page. */
  messages: readonly Namespace[];
  /** A `bare` page has its own layout. */
  layout: 'site' | 'bare';
};
type PageFile = Awaited<ReturnType<PageRow['page']>>;

/** Documents: their content is loaded together with their code, in one language. */
async function useDoc(): Promise<PageFile> {
  const loading = import('./pages/use-doc/content.js').then(({ loadContent }) => loadContent());
  const [page] = await Promise.all([import('./pages/use-doc/use-doc-page.js'), loading]);
  return page;
}
async function developers(): Promise<PageFile> {
  const loading = import('./pages/developers/content.js').then(({ loadContent }) => loadContent());
  const [page] = await Promise.all([import('./pages/developers/developers-page.js'), loading]);
  return page;
}
async function policy(page: () => Promise<PageFile>): Promise<PageFile> {
  const loading = import('./pages/policies/content.js').then(({ loadPolicies }) => loadPolicies());
  const [file] = await Promise.all([page(), loading]);
  return file;
}
async function changelog(): Promise<PageFile> {
  const loading = import('./pages/changelog/entries.js').then(({ loadEntries }) => loadEntries());
  const [page] = await Promise.all([import('./pages/changelog/changelog-page.js'), loading]);
  return page;
}
async function tutorial(): Promise<PageFile> {
  const loading = import('./pages/tutorial/content.js').then(({ loadSections }) => loadSections());
  const [page] = await Promise.all([import('./pages/tutorial/tutorial-page.js'), loading]);
  return page;
}

// prettier-ignore
const rows = [
  { path: '/home', name: 'pageHome', layout: 'site', messages: ['home'], page: () => import('./pages/home/home-page.js') },
  { path: '/login', name: 'pageLogin', layout: 'bare', messages: ['login'], page: () => import('./pages/login/login-page.js') },
  { path: '/term-and-condition', name: 'pageAgreement', layout: 'bare', messages: ['agreement'], page: () => import('./pages/agreement/agreement-page.js') },
  { path: '/UserCenterExit', name: 'pageExit', layout: 'site', messages: ['exit'], page: () => import('./pages/exit/exit-page.js') },
  { path: '/price', name: 'pagePrice', layout: 'site', messages: ['price', 'payment'], page: () => import('./pages/price/price-page.js') },
  { path: '/useDoc', name: 'pageUseDoc', layout: 'site', messages: ['doc'], page: useDoc },
  { path: '/developers', name: 'pageDevelopers', layout: 'site', messages: ['developers', 'doc'], page: developers },
  { path: '/contactUs', name: 'pageContact', layout: 'site', messages: ['customer-service'], page: () => import('./pages/contact/contact-page.js') },
  { path: '/download', name: 'pageDownload', layout: 'site', messages: ['download'], page: () => import('./pages/download/download-page.js') },
  { path: '/productDesc/:section?', name: 'pageProductDesc', layout: 'site', messages: ['tutorial', 'doc'], page: tutorial },
  { path: '/privacy', name: 'pagePrivacy', layout: 'site', messages: ['doc'], page: () => policy(() => import('./pages/policies/privacy-page.js')) },
  { path: '/refund', name: 'pageRefund', layout: 'site', messages: ['doc'], page: () => policy(() => import('./pages/policies/refund-page.js')) },
  { path: '/status', name: 'pageStatus', layout: 'site', messages: ['status'], page: () => import('./pages/status/status-page.js') },
  { path: '/ledger-proof', name: 'pageLedgerProof', layout: 'site', messages: ['ledger-proof'], page: () => import('./pages/ledger-proof/ledger-proof-page.js') },
  { path: '/changelog', name: 'pageChangelog', layout: 'site', messages: ['changelog'], page: changelog },
  { path: '/PaySuccess', name: 'pagePaySuccess', layout: 'site', messages: ['pay-success', 'payment'], page: () => import('./pages/pay-success/pay-success-page.js') },
] as const satisfies readonly Row[];

/** With the paths as literals, so that a record by path must have every page. */
export type SitePage = Row & { path: (typeof rows)[number]['path'] };
export const sitePages: readonly SitePage[] = rows;

/** The page at this path. `/productDesc` takes the name of a section. */
export const pageAt = (pathname: string): SitePage | undefined => {
  const path = plainPath(pathname).replace(/^(\/productdesc)\/[^/]+$/, '$1');
  return sitePages.find((page) => plainPath(page.path.replace('/:section?', '')) === path);
};
