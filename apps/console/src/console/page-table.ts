/**
 * The pages of the console (specification §2), once: the router, the menu, the titles and the guard are made from this table. Adding a page
 * is adding a row.
 */
import type { PageRow } from '../shared/page-frame.js';
import type { ResourceName } from './shared/resources.js';
import type { IconName } from '../shared/ui/icon.js';
import type zh from './messages.zh.js';

/** `name`: the key of its title in console/messages. */
export type ConsolePage = PageRow & {
  name: Extract<keyof typeof zh, `page${string}`>;
  /** Who may see it: any signed-in member · main accounts only (specification §6). */
  who: 'member' | 'main';
  menu?: { group: 'member' | 'function'; icon: IconName };
  /** The page whose menu entry leads to this one, too. */
  within?: `/${string}`;
  resource?: ResourceName;
};

/** The data of a page for the shell, as the `meta` of its resource. */
export type PageMeta = {
  label: string;
  who: ConsolePage['who'];
  /** Its group in the menu; null: it has no entry (`hide`). */
  group: 'member' | 'function' | null;
  icon: IconName | null;
  hide: boolean;
};

/** The name of a page's resource: its list, or else the key of its title. */
export const nameOf = ({ resource, name }: ConsolePage): string => resource ?? name;

// prettier-ignore
export const consolePages: readonly ConsolePage[] = [
  { path: '/UserCenterIndex', name: 'pageOverview', who: 'member', menu: { group: 'member', icon: 'grid' }, page: () => import('./pages/overview/overview-page.js') },
  { path: '/UserCenterInfo', name: 'pageInfo', who: 'member', menu: { group: 'member', icon: 'user' }, page: () => import('./pages/account/info-page.js') },
  { path: '/UserCenterChangePassword', name: 'pageChangePassword', who: 'member', menu: { group: 'member', icon: 'lock' }, page: () => import('./pages/account/change-password-page.js') },
  { path: '/UserCenterLoginLog', name: 'pageLoginLog', who: 'member', menu: { group: 'member', icon: 'clock' }, resource: 'loginLogs', page: () => import('./pages/login-log/login-log-page.js') },
  { path: '/UserCenterChild', name: 'pageChild', who: 'main', menu: { group: 'member', icon: 'users' }, resource: 'childUsers', page: () => import('./pages/sub-accounts/sub-accounts-page.js') },
  { path: '/UserCenterRecharge', name: 'pageRecharge', who: 'main', menu: { group: 'function', icon: 'card' }, page: () => import('./pages/recharge/recharge-page.js') },
  { path: '/UserCenterAccountLog', name: 'pageAccountLog', who: 'member', menu: { group: 'function', icon: 'file' }, resource: 'accountLogs', page: () => import('./pages/account-log/account-log-page.js') },
  { path: '/UserCenterChangeTranslateLog', name: 'pageTranslationLog', who: 'member', menu: { group: 'function', icon: 'list' }, resource: 'translationLogs', page: () => import('./pages/translation-log/translation-log-page.js') },
  { path: '/UserCenterChangeTranslateTest', name: 'pageTranslationTest', who: 'member', menu: { group: 'function', icon: 'translate' }, page: () => import('./pages/translation-test/translation-test-page.js') },
  { path: '/UserCenterGlossary', name: 'pageGlossary', who: 'member', menu: { group: 'function', icon: 'book' }, resource: 'terms', page: () => import('./pages/glossary/glossary-page.js') },
  { path: '/UserCenterApiKeys', name: 'pageApiKeys', who: 'member', menu: { group: 'function', icon: 'key' }, resource: 'apiKeys', page: () => import('./pages/api-keys/api-keys-page.js') },
  { path: '/UserCenterWebhook', name: 'pageWebhook', who: 'main', menu: { group: 'function', icon: 'webhook' }, resource: 'webhooks', page: () => import('./pages/webhooks/webhooks-page.js') },
  { path: '/UserCenterOrder', name: 'pageOrder', who: 'main', within: '/UserCenterRecharge', resource: 'orders', page: () => import('./pages/orders/orders-page.js') },
  { path: '/UserWorkSpace', name: 'pageWorkSpace', who: 'member', page: () => import('./pages/workspace/workspace-page.js') },
];
