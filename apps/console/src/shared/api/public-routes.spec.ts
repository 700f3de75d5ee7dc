import { expect, it } from '@jest/globals';
import * as login from '@yiqiao/contracts/login';
import { getPayInfo } from '@yiqiao/contracts/orders';
import { getUser } from '@yiqiao/contracts/user';
import { ROUTES } from './public-routes.js';

it('each call goes where its contract says', () => {
  const contract: Record<string, { method: string; path: string }> = { ...login, getUser, getPayInfo };
  const said = Object.keys(ROUTES).map((name) => [name, contract[name]?.method, contract[name]?.path]);
  expect(Object.entries(ROUTES).map(([name, { method, path }]) => [name, method, path])).toEqual(said);
});
