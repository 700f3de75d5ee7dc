import { hash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { signatureOf, signedHeaders, tokenOf } from './signing.js';

const sha256 = (text: string): string => hash('sha256', text, 'hex');

it('signs as decisions §2 says, computed by hand', () => {
  const token = tokenOf('ab'.repeat(32), 7, sha256);
  expect(token).toBe(hash('sha256', `${'ab'.repeat(32)}7`, 'hex').toUpperCase());
  expect(signatureOf(token, 1_700_000_000_000, sha256)).toBe(hash('sha256', `${token}1700000000000`, 'hex'));
  const headers = signedHeaders(token, 1_700_000_000_000, sha256);
  expect(headers['Authorization']).toBe(`${token}.1700000000000.${headers['signature']}`);
  expect(headers['auth-token']).toBe(headers['Authorization']);
});
