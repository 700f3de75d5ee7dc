/** Where each call goes; notice-routes.spec.ts holds it to the contract, whose schemas are no part of what visitors download. */
export const ROUTES = {
  list: { method: 'GET', path: '/notice/list' },
  open: { method: 'GET', path: '/notice/openSse/' },
  close: { method: 'DELETE', path: '/notice/closeSse/' },
} as const;
