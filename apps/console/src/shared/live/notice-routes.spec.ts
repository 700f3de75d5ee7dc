import { describe, expect, it } from '@jest/globals';
import { closeNotices, listNotices, openNotices } from '@yiqiao/contracts/notices';
import { ROUTES } from './notice-routes.js';

describe('the routes of the notices', () => {
  it.each([
    ['list', listNotices],
    ['open', openNotices],
    ['close', closeNotices],
  ] as const)('%s is as the contract has it', (name, { method, path }) => {
    // The id of a stream stands at the end, and needs no escape: the client makes it of letters and figures.
    expect(ROUTES[name]).toEqual({ method, path: path.replace(':clientId', '') });
  });
});
