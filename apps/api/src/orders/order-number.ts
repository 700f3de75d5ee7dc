import { randomInt } from 'node:crypto';

const RANDOM_DIGITS = 8;

/**
 * `YQ20261121140509` and eight random digits: what every gateway takes as a merchant's number, tells when it was placed, and is not
 * guessed. `wireTime` as the clock writes it.
 */
export const numberAt = (wireTime: string, prefix = 'YQ'): string =>
  `${prefix}${wireTime.replaceAll(/\D/g, '')}${String(randomInt(10 ** RANDOM_DIGITS)).padStart(RANDOM_DIGITS, '0')}`;
