/**
 * Every page of the web (specification §2), once: the router, the menus, the titles and the guard are made from this table.
 * Adding a page is adding a row. `name` is the key of its title in `app/texts`; `texts` are the parts whose texts it needs.
 */
import type { ComponentType } from 'react';
import type { Namespace } from '../shared/i18n/texts.js';
import type { ResourceName } from '../shared/resources.js';
import type { IconName } from '../shared/ui/icon.js';
import type zh from './texts.zh.js';

type PageFile = { default: ComponentType };

type Page = {
  path: `/${string}`;
  name: Extract<keyof typeof zh, `page${string}`>;
  /** Who may see it: anybody · any signed-in member · main accounts only (specification §6). */
  who: 'public' | 'member' | 'main';
  /** What stands around it; `bare` pages bring their own frame. */
  layout: 'site' | 'console' | 'bare';
  texts: readonly Namespace[];
  page: () => Promise<PageFile>;
  menu?: { group: 'member' | 'function'; icon: IconName };
  /** The page whose menu entry leads to this one, too. */
  within?: `/${string}`;
  resource?: ResourceName;
};

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
export const pages: readonly Page[] = [
  { path: '/home', name: 'pageHome', who: 'public', layout: 'site', texts: ['home'], page: () => import('../features/home/home-page.js') },
  { path: '/login', name: 'pageLogin', who: 'public', layout: 'bare', texts: ['login'], page: () => import('../features/login/login-page.js') },
  { path: '/term-and-condition', name: 'pageAgreement', who: 'public', layout: 'bare', texts: ['agreement'], page: () => import('../features/agreement/agreement-page.js') },
  { path: '/UserCenterExit', name: 'pageExit', who: 'public', layout: 'site', texts: ['exit'], page: () => import('../features/exit/exit-page.js') },

  { path: '/UserCenterIndex', name: 'pageOverview', who: 'member', layout: 'console', texts: ['overview', 'savings', 'nickname', 'ledger', 'channels'], menu: { group: 'member', icon: 'grid' }, page: () => import('../features/overview/overview-page.js') },
  { path: '/UserCenterInfo', name: 'pageInfo', who: 'member', layout: 'console', texts: ['account', 'nickname'], menu: { group: 'member', icon: 'user' }, page: () => import('../features/account/info-page.js') },
  { path: '/UserCenterChangePassword', name: 'pageChangePassword', who: 'member', layout: 'console', texts: ['account'], menu: { group: 'member', icon: 'lock' }, page: () => import('../features/account/change-password-page.js') },
  { path: '/UserCenterLoginLog', name: 'pageLoginLog', who: 'member', layout: 'console', texts: ['login-log', 'logs'], menu: { group: 'member', icon: 'clock' }, resource: 'loginLogs', page: () => import('../features/login-log/login-log-page.js') },
  { path: '/UserCenterChild', name: 'pageChild', who: 'main', layout: 'console', texts: ['sub-accounts', 'logs'], menu: { group: 'member', icon: 'users' }, resource: 'childUsers', page: () => import('../features/sub-accounts/sub-accounts-page.js') },
  { path: '/UserCenterRecharge', name: 'pageRecharge', who: 'main', layout: 'console', texts: ['recharge', 'payment'], menu: { group: 'function', icon: 'card' }, page: () => import('../features/recharge/recharge-page.js') },
  { path: '/UserCenterAccountLog', name: 'pageAccountLog', who: 'member', layout: 'console', texts: ['account-log', 'logs', 'ledger'], menu: { group: 'function', icon: 'file' }, resource: 'accountLogs', page: () => import('../features/account-log/account-log-page.js') },
  { path: '/UserCenterChangeTranslateLog', name: 'pageTranslationLog', who: 'member', layout: 'console', texts: ['translation-log', 'logs'], menu: { group: 'function', icon: 'list' }, resource: 'translationLogs', page: () => import('../features/translation-log/translation-log-page.js') },
  { path: '/UserCenterChangeTranslateTest', name: 'pageTranslationTest', who: 'member', layout: 'console', texts: ['translation-test', 'channels', 'media', 'voice', 'image'], menu: { group: 'function', icon: 'translate' }, page: () => import('../features/translation-test/translation-test-page.js') },
  { path: '/UserCenterGlossary', name: 'pageGlossary', who: 'member', layout: 'console', texts: ['glossary', 'logs'], menu: { group: 'function', icon: 'book' }, resource: 'terms', page: () => import('../features/glossary/glossary-page.js') },
  { path: '/UserCenterOrder', name: 'pageOrder', who: 'main', layout: 'console', within: '/UserCenterRecharge', texts: ['orders', 'logs', 'ledger', 'payment'], resource: 'orders', page: () => import('../features/orders/orders-page.js') },
  { path: '/UserWorkSpace', name: 'pageWorkSpace', who: 'member', layout: 'console', texts: ['workspace'], page: () => import('../features/workspace/workspace-page.js') },

  { path: '/price', name: 'pagePrice', who: 'public', layout: 'site', texts: ['price', 'payment'], page: () => import('../features/price/price-page.js') },
  { path: '/useDoc', name: 'pageUseDoc', who: 'public', layout: 'site', texts: ['doc'], page: useDoc },
  { path: '/contactUs', name: 'pageContact', who: 'public', layout: 'site', texts: ['customer-service'], page: () => import('../features/contact/contact-page.js') },
  { path: '/download', name: 'pageDownload', who: 'public', layout: 'site', texts: ['download'], page: () => import('../features/download/download-page.js') },
  { path: '/productDesc/:section?', name: 'pageProductDesc', who: 'public', layout: 'site', texts: ['tutorial', 'doc'], page: tutorial },
  { path: '/privacy', name: 'pagePrivacy', who: 'public', layout: 'site', texts: ['doc'], page: () => policy(() => import('../features/policies/privacy-page.js')) },
  { path: '/refund', name: 'pageRefund', who: 'public', layout: 'site', texts: ['doc'], page: () => policy(() => import('../features/policies/refund-page.js')) },
  { path: '/PaySuccess', name: 'pagePaySuccess', who: 'public', layout: 'site', texts: ['pay-success'], page: () => import('../features/pay-success/pay-success-page.js') },
];

export type PageRow = Page;

/** What Refine calls a page: its list, or else the key of its title. */
export const nameOf = ({ resource, name }: PageRow): string => resource ?? name;
