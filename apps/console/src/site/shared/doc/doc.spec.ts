import { describe, expect, it } from '@jest/globals';
import { addressesOf } from './doc.js';

describe('the addresses that people keep', () => {
  it('are the site root and the site root plus /#/download', () => {
    expect(addressesOf('https://yiqiao.example')).toEqual([
      'https://yiqiao.example/',
      'https://yiqiao.example/#/download',
    ]);
  });
});
