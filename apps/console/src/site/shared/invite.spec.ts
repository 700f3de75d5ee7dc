import { describe, expect, it } from '@jest/globals';
import { codeIn, invitedTo } from './invite.js';

describe('an invitation', () => {
  it.each(['YQ7K', 'yq7k2m', 'A1b2C3d4E5f6G7h8'])('is read from an address: %s', (code) => {
    expect(codeIn(`?type=2&inviteCode=${code}`)).toBe(code);
  });

  it.each([
    '',
    '?inviteCode=',
    '?inviteCode=YQ7',
    '?inviteCode=A1b2C3d4E5f6G7h8i',
    '?inviteCode=%22%3E%3Cb%3E',
    '?inviteCode=邀请码一二',
  ])('is only what can be a code: %s', (search) => {
    expect(codeIn(search)).toBeNull();
  });

  it('joins an address beside what stands there', () => {
    expect(invitedTo('/login?type=2', 'YQ7K2M')).toBe('/login?type=2&inviteCode=YQ7K2M');
    expect(invitedTo('/price', 'YQ7K2M')).toBe('/price?inviteCode=YQ7K2M');
    expect(invitedTo('/price', null)).toBe('/price');
  });
});
