import { describe, expect, it } from '@jest/globals';
import { checkCustomerService, listCustomerService, listServicePlatforms } from '@yiqiao/contracts/site';
import { ROUTES } from './service.js';

describe('the customer service routes', () => {
  it.each([
    ['platforms', listServicePlatforms],
    ['list', listCustomerService],
    ['check', checkCustomerService],
  ] as const)('%s matches the contract', (name, { method, path }) => {
    expect(ROUTES[name]).toEqual({ method, path });
  });
});
