import { describe, expect, it } from '@jest/globals';
import { checkCustomerService, listCustomerService, listServicePlatforms } from '@yiqiao/contracts/site';
import { ROUTES } from './service-routes.js';

describe('the routes of the customer service', () => {
  it.each([
    ['platforms', listServicePlatforms],
    ['list', listCustomerService],
    ['check', checkCustomerService],
  ] as const)('%s is as the contract has it', (name, { method, path }) => {
    expect(ROUTES[name]).toEqual({ method, path });
  });
});
