import { describe, expect, it } from '@jest/globals';
import { consolePages, nameOf } from './page-table.js';
import { decide } from './access.js';

const MAIN = { parentUserId: null };
const SUB = { parentUserId: 7 };
const can = (resource: string, action: string, who: typeof MAIN | typeof SUB): boolean =>
  decide({ resource, action }, who).can;

describe('access in the console', () => {
  it('of sub-accounts leaves out child management, recharge, orders and webhooks, and nothing else', () => {
    const refused = consolePages.filter((row) => !can(nameOf(row), 'list', SUB)).map(({ path }) => path);
    expect(refused.sort()).toEqual([
      '/UserCenterChild',
      '/UserCenterOrder',
      '/UserCenterRecharge',
      '/UserCenterWebhook',
    ]);
  });

  it('of main accounts is whole', () => {
    expect(consolePages.filter((row) => !can(nameOf(row), 'list', MAIN))).toEqual([]);
  });

  it('to what is done goes by the contract of the call', () => {
    const deeds = ['create', 'edit', 'delete'];
    expect(deeds.map((action) => can('terms', action, SUB))).toEqual([false, false, false]);
    expect(deeds.map((action) => can('terms', action, MAIN))).toEqual([true, true, true]);
    expect([can('terms', 'list', SUB), can('loginLogs', 'show', SUB)]).toEqual([true, true]);
    expect(deeds.map((action) => can('apiKeys', action, SUB))).toEqual([true, true, true]);
    expect(deeds.map((action) => can('childUsers', action, SUB))).toEqual([false, false, false]);
  });

  it.each([
    ['nothing', 'list'],
    ['orders', 'delete'],
    ['terms', 'clone'],
    ['', 'list'],
  ])('to what is not there (%s, %s) nobody has', (resource, action) => {
    expect([can(resource, action, MAIN), can(resource, action, SUB)]).toEqual([false, false]);
  });

  it('knows every page by a name of its own', () => {
    const names = consolePages.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });
});
