import { describe, expect, it } from '@jest/globals';
import { isConsoleAddress } from './addresses.js';

describe('an address of the console', () => {
  it.each([
    '/UserCenterIndex',
    '/usercenterindex',
    '/UserWorkSpace',
    '/userCenter',
    '/userCenter/UserCenterExit',
    '/UserCenterExits',
  ])('is %s', (path) => expect(isConsoleAddress(path)).toBe(true));
  it.each([
    '/',
    '/home',
    '/login',
    '/UserCenterExit',
    '/usercenterexit/',
    '/users',
    '/x/UserCenterIndex',
    '//UserCenterIndex',
  ])('is not %s', (path) => expect(isConsoleAddress(path)).toBe(false));
});
