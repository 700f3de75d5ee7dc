import { describe, expect, it } from '@jest/globals';
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { consolePages } from './console/page-table.js';
import { pageAt, sitePages } from './site/page-table.js';

describe('the two entries', () => {
  it.each(sitePages.map(({ path }) => path))('%s is an address of the site', (path) => {
    expect(isConsoleAddress(path)).toBe(false);
  });

  it.each(consolePages.map(({ path }) => path))('%s is an address of the console', (path) => {
    expect([isConsoleAddress(path), pageAt(path)]).toEqual([true, undefined]);
  });
});

describe('the page at an address of the site', () => {
  it.each([
    ['/home', '/home'],
    ['/HOME/', '/home'],
    ['/productDesc', '/productDesc/:section?'],
    ['/productdesc/ZZHGL/', '/productDesc/:section?'],
    ['/UserCenterExit', '/UserCenterExit'],
  ])('%s is %s', (pathname, path) => {
    expect(pageAt(pathname)?.path).toBe(path);
  });

  it.each(['/', '/index', '/home/x', '/productDesc/a/b', '/nothing', '//home'])('%s is none', (pathname) => {
    expect(pageAt(pathname)).toBeUndefined();
  });
});
