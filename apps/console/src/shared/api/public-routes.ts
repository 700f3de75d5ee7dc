/**
 * Where the calls go that public pages make: the contract's own endpoints bring the machinery of schemas with them, which weighs more than
 * such a page may (docs/decisions/0026). public-routes.spec.ts holds them to the contract.
 */
const get = <P extends `/${string}`>(path: P) => ({ method: 'GET', path }) as const;
const post = <P extends `/${string}`>(path: P) => ({ method: 'POST', path }) as const;

export const ROUTES = {
  checkAccount: post('/login/checkAccount'),
  checkUsername: post('/login/checkUsername'),
  sendVCode: post('/login/sendVCode'),
  register: post('/login/register'),
  login: post('/login/login'),
  logout: post('/login/logout'),
  findEmail: get('/login/findEmail'),
  resetPwdByVcode: post('/login/resetPwdByVcode'),
  getUser: get('/user/get'),
  getPayInfo: get('/orderByMemberGroup/getPayInfo'),
};
