import { randomInt } from 'node:crypto';

// Without 0 O 1 I L: people read invite codes to each other.
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 10;

export const newInviteCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** The form in which a typed or copied code is looked up. */
export const tidyInviteCode = (code: string): string => code.trim().toUpperCase();

/** Whether a tidied text can be a code at all; anything else is nobody's, whatever it contains. */
export const isInviteCode = (text: string): boolean =>
  text.length === LENGTH && [...text].every((letter) => ALPHABET.includes(letter));
