import { describe, expect, it } from '@jest/globals';
import { Passwords } from './passwords.js';

describe('password hashes', () => {
  const passwords = new Passwords();

  it('are salted argon2id with the agreed cost', async () => {
    const [a, b] = [await passwords.hash('secret1'), await passwords.hash('secret1')];
    expect(a).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(a).not.toBe(b);
  });

  it('use the password as it is, including spaces', async () => {
    const hash = await passwords.hash(' abc123 ');
    expect(await passwords.matches(' abc123 ', hash)).toBe(true);
    expect(await passwords.matches('abc123', hash)).toBe(false);
  });
});
