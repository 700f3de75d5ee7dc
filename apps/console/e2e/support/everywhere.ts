/** Every page there is, for what must be true of all of them. */

/** Pages of the console, and who sees them: sub-accounts are told on the others that they may not. */
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
  { path: '/UserWorkSpace', who: 'member' },
] as const;

/** Pages for anybody; /UserCenterExit leaves by itself after three seconds. */
export const PUBLIC_PAGES = [
  '/home',
  '/price',
  '/useDoc',
  '/download',
  '/contactUs',
  '/productDesc',
  '/login?type=1',
  '/login?type=2',
  '/term-and-condition',
  '/PaySuccess',
] as const;
