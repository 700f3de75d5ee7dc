/** All pages, for checks that apply to every page. */

/** Console pages and who may see them; sub-accounts get a message on the others. */
export const CONSOLE_PAGES = [
  { path: '/UserCenterIndex', who: 'member' },
  { path: '/UserCenterInfo', who: 'member' },
  { path: '/UserCenterChangePassword', who: 'member' },
  { path: '/UserCenterLoginLog', who: 'member' },
  { path: '/UserCenterChild', who: 'main' },
  { path: '/UserCenterRecharge', who: 'main' },
  { path: '/UserCenterOrder', who: 'main' },
  { path: '/UserCenterAccountLog', who: 'member' },
  { path: '/UserCenterChangeTranslateLog', who: 'member' },
  { path: '/UserCenterChangeTranslateTest', who: 'member' },
  { path: '/UserCenterGlossary', who: 'member' },
  { path: '/UserCenterApiKeys', who: 'member' },
  { path: '/UserCenterWebhook', who: 'main' },
  { path: '/UserWorkSpace', who: 'member' },
] as const;

/** Public pages, without /UserCenterExit, which navigates away after three seconds. */
export const PUBLIC_PAGES = [
  '/home',
  '/price',
  '/useDoc',
  '/developers',
  '/download',
  '/contactUs',
  '/productDesc',
  '/login?type=1',
  '/login?type=2',
  '/term-and-condition',
  '/PaySuccess',
  '/changelog',
  '/status',
  '/ledger-proof',
] as const;
