import { randomInt } from 'node:crypto';

// Without 0 O 1 I L: people read invite codes to each other.
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 10;

export const newInviteCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** The form in which a typed or copied code is looked up. */
export const tidyInviteCode = (code: string): string => code.trim().toUpperCase();
