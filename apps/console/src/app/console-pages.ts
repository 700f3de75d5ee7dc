/** The pages for members. */
import type { PageRow } from './page-row.js';

// prettier-ignore
export const consolePages: readonly PageRow[] = [
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
];
