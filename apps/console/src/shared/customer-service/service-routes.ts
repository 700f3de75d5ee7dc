/** Where each call goes; service-routes.spec.ts holds it to the contract. */
export const ROUTES = {
  platforms: { method: 'GET', path: '/customer-service/platform/list' },
  list: { method: 'GET', path: '/customer-service/list' },
  check: { method: 'GET', path: '/customer-service/get' },
} as const;
