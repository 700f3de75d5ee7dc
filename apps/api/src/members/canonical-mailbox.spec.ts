import { describe, expect, it } from '@jest/globals';
import { canonicalMailbox } from './canonical-mailbox.js';

describe('the mailbox behind an address', () => {
  it.each([
    ['Li.Lan@Example.com', 'li.lan@example.com'],
    ['lilan+shop@example.com', 'lilan+shop@example.com'],
    ['lilan+shop@outlook.com', 'lilan@outlook.com'],
    ['lilan+shop+two@icloud.com', 'lilan@icloud.com'],
    ['li.l.an+x@gmail.com', 'lilan@gmail.com'],
    ['LiLan@GoogleMail.com', 'lilan@gmail.com'],
    ['+shop@example.com', '+shop@example.com'],
  ])('%s is %s', (address, mailbox) => {
    expect(canonicalMailbox(address)).toBe(mailbox);
  });
});
