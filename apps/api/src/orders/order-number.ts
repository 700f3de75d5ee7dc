import { randomInt } from 'node:crypto';

const RANDOM_DIGITS = 8;

/**
 * `YQ20261121140509` and eight random digits: accepted by every gateway as a merchant's number, tells the time of the order, and cannot be
 * guessed. `wireTime` in the clock's format.
 */
export const numberAt = (wireTime: string, prefix = 'YQ'): string =>
  `${prefix}${wireTime.replaceAll(/\D/g, '')}${String(randomInt(10 ** RANDOM_DIGITS)).padStart(RANDOM_DIGITS, '0')}`;
