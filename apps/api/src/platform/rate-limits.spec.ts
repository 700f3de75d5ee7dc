import { expect, it } from '@jest/globals';
import { networkOf } from './rate-limits.js';

it.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0db8:0000::ffff', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::', 'fe80:0:0:0'],
  ['someone@example.com', 'someone@example.com'],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
