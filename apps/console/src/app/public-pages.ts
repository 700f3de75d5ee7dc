/** The pages for everybody. Apart from those of the console, because a server draws them, too (server/render.tsx). */
import { matchPath } from 'react-router';
import type { PageFile, PageRow } from './page-row.js';

/** Documents: their text comes beside their code, in one language. */
async function useDoc(): Promise<PageFile> {
  const loading = import('../features/use-doc/content.js').then(({ loadContent }) => loadContent());
  const [page] = await Promise.all([import('../features/use-doc/use-doc-page.js'), loading]);
  return page;
}
async function policy(page: () => Promise<PageFile>): Promise<PageFile> {
  const loading = import('../features/policies/content.js').then(({ loadPolicies }) => loadPolicies());
  const [file] = await Promise.all([page(), loading]);
  return file;
}
async function tutorial(): Promise<PageFile> {
  const loading = import('../features/tutorial/content.js').then(({ loadSections }) => loadSections());
  const [page] = await Promise.all([import('../features/tutorial/tutorial-page.js'), loading]);
  return page;
}

// prettier-ignore
export const publicPages: readonly PageRow[] = [
  { path: '/home', name: 'pageHome', who: 'public', layout: 'site', texts: ['home'], page: () => import('../features/home/home-page.js') },
  { path: '/login', name: 'pageLogin', who: 'public', layout: 'bare', texts: ['login'], page: () => import('../features/login/login-page.js') },
  { path: '/term-and-condition', name: 'pageAgreement', who: 'public', layout: 'bare', texts: ['agreement'], page: () => import('../features/agreement/agreement-page.js') },
  { path: '/UserCenterExit', name: 'pageExit', who: 'public', layout: 'site', texts: ['exit'], page: () => import('../features/exit/exit-page.js') },
  { path: '/price', name: 'pagePrice', who: 'public', layout: 'site', texts: ['price', 'payment'], page: () => import('../features/price/price-page.js') },
  { path: '/useDoc', name: 'pageUseDoc', who: 'public', layout: 'site', texts: ['doc'], page: useDoc },
  { path: '/contactUs', name: 'pageContact', who: 'public', layout: 'site', texts: ['customer-service'], page: () => import('../features/contact/contact-page.js') },
  { path: '/download', name: 'pageDownload', who: 'public', layout: 'site', texts: ['download'], page: () => import('../features/download/download-page.js') },
  { path: '/productDesc/:section?', name: 'pageProductDesc', who: 'public', layout: 'site', texts: ['tutorial', 'doc'], page: tutorial },
  { path: '/privacy', name: 'pagePrivacy', who: 'public', layout: 'site', texts: ['doc'], page: () => policy(() => import('../features/policies/privacy-page.js')) },
  { path: '/refund', name: 'pageRefund', who: 'public', layout: 'site', texts: ['doc'], page: () => policy(() => import('../features/policies/refund-page.js')) },
  { path: '/PaySuccess', name: 'pagePaySuccess', who: 'public', layout: 'site', texts: ['pay-success'], page: () => import('../features/pay-success/pay-success-page.js') },
];

/** The public page at this path, if it is one. */
export const publicPageAt = (pathname: string): PageRow | undefined =>
  publicPages.find(({ path }) => matchPath(path, pathname) !== null);
