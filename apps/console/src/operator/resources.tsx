/**
 * The pages of the operator console, once: routes, menu, titles and Refine's resources are made from this table. Adding a page is adding a
 * line, its title in messages and its folder below pages/.
 */
import type { PageRow } from '../shared/page-frame.js';
import type { IconName } from '../shared/ui/icon.js';
import type zh from './messages.zh.js';

type TitleKey = Extract<keyof typeof zh, `page${string}`>;

export type OperatorPage = PageRow & {
  /** The key of its title in operator/messages. */
  name: TitleKey;
  /** Refine's resource: the path of its data below /operator-api. */
  resource: string;
  /** Whether the page shows the resource's list (default) or one record. */
  shows?: 'list' | 'record';
  menu?: { group: MenuGroup; icon: IconName };
  /** The page whose menu entry leads to this one, too. */
  within?: `/${string}`;
  /** With `g` before it, the key that leads here. */
  key?: string;
};

/** In the order of the side bar; the first has no title. */
export const MENU_GROUPS = ['today', 'ledger', 'money', 'supply', 'control'] as const;
type MenuGroup = (typeof MENU_GROUPS)[number];

/** The data of a page for the side bar, as the `meta` of its resource. */
export type PageMeta = { label: string; group: string | null; icon: IconName | null; hide: boolean };

// prettier-ignore
export const operatorPages: readonly OperatorPage[] = [
  { path: '/', name: 'pageToday', resource: 'today', menu: { group: 'today', icon: 'bars' }, key: 't', page: () => import('./pages/today/today-page.js') },
  { path: '/ledger/replay', name: 'pageReplay', resource: 'replay', menu: { group: 'ledger', icon: 'history' }, key: 'r', page: () => import('./pages/replay/open-replay-page.js') },
  { path: '/ledger/replay/:userId', name: 'pageReplay', resource: 'replay', shows: 'record', within: '/ledger/replay', page: () => import('./pages/replay/replay-page.js') },
  { path: '/ledger/replay/:userId/diff', name: 'pageDiff', resource: 'replay-diff', shows: 'record', within: '/ledger/replay', page: () => import('./pages/replay/diff-page.js') },
  { path: '/ledger/audits', name: 'pageAudits', resource: 'audit-runs', menu: { group: 'ledger', icon: 'shield' }, key: 'a', page: () => import('./pages/audits/audits-page.js') },
  { path: '/ledger/audits/:id', name: 'pageAudit', resource: 'audit-runs', shows: 'record', within: '/ledger/audits', page: () => import('./pages/audits/audit-page.js') },
  { path: '/members', name: 'pageMembers', resource: 'members', menu: { group: 'money', icon: 'users' }, key: 'm', page: () => import('./pages/members/members-page.js') },
  { path: '/members/:userId', name: 'pageMember', resource: 'members', shows: 'record', within: '/members', page: () => import('./pages/members/member-page.js') },
  { path: '/payments/exceptions', name: 'pagePayments', resource: 'exceptions', menu: { group: 'money', icon: 'card' }, key: 'p', page: () => import('./pages/payments/exceptions-page.js') },
  { path: '/payments/orders', name: 'pageOrders', resource: 'orders', within: '/payments/exceptions', page: () => import('./pages/payments/orders-page.js') },
  { path: '/payments/orders/:no', name: 'pageOrder', resource: 'orders', shows: 'record', within: '/payments/exceptions', page: () => import('./pages/payments/order-page.js') },
  { path: '/payments/refunds', name: 'pageRefunds', resource: 'refunds', within: '/payments/exceptions', page: () => import('./pages/payments/refunds-page.js') },
  { path: '/payments/reconciliations', name: 'pageReconciliations', resource: 'reconciliations', within: '/payments/exceptions', page: () => import('./pages/payments/reconciliations-page.js') },
  { path: '/approvals', name: 'pageApprovals', resource: 'requests', menu: { group: 'control', icon: 'stamp' }, page: () => import('./pages/approvals/approvals-page.js') },
  { path: '/approvals/:id', name: 'pageApprovals', resource: 'requests', shows: 'record', within: '/approvals', page: () => import('./pages/approvals/approvals-page.js') },
  { path: '/actions', name: 'pageActions', resource: 'actions', menu: { group: 'control', icon: 'list' }, page: () => import('./pages/actions/actions-page.js') },
  { path: '/operators', name: 'pageOperators', resource: 'operators', menu: { group: 'control', icon: 'key' }, page: () => import('./pages/operators/operators-page.js') },
  { path: '/system', name: 'pageSystem', resource: 'system', menu: { group: 'control', icon: 'pulse' }, page: () => import('./pages/system/system-page.js') },
  { path: '/channels', name: 'pageChannels', resource: 'vendor-accounts', menu: { group: 'supply', icon: 'channels' }, key: 'c', page: () => import('./pages/vendors/vendors-page.js') },
  { path: '/channels/:code/:account', name: 'pageChannels', resource: 'vendor-accounts', shows: 'record', within: '/channels', page: () => import('./pages/vendors/vendors-page.js') },
  { path: '/plans', name: 'pagePlans', resource: 'prices', menu: { group: 'supply', icon: 'tag' }, page: () => import('./pages/prices/prices-page.js') },
  { path: '/plans/channels', name: 'pageChannelPrices', resource: 'prices', shows: 'record', within: '/plans', page: () => import('./pages/prices/prices-page.js') },
  { path: '/plans/what-ifs', name: 'pageWhatIfs', resource: 'what-if', within: '/plans', page: () => import('./pages/prices/prices-page.js') },
  { path: '/plans/versions', name: 'pagePriceVersions', resource: 'prices/versions', within: '/plans', page: () => import('./pages/prices/prices-page.js') },
  { path: '/notices', name: 'pageNotices', resource: 'notices', menu: { group: 'supply', icon: 'notices' }, page: () => import('./pages/notice-desk/notices-page.js') },
  { path: '/notices/:id', name: 'pageNotices', resource: 'notices', shows: 'record', within: '/notices', page: () => import('./pages/notice-desk/notices-page.js') },
  { path: '/content/:document', name: 'pageContent', resource: 'documents', shows: 'record', within: '/notices', page: () => import('./pages/content/content-page.js') },
];
