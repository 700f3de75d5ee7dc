import type { Rule } from '../../../shared/form/rules.js';

/** The number typed into a field, its digits grouped or not; NaN for anything else. */
export const numberOf = (typed: string): number => {
  const plain = typed.replaceAll(/[\s,，]/g, '');
  return /^\d{1,15}$/.test(plain) ? Number(plain) : Number.NaN;
};

/** A whole number from 0 to `most`. */
export const wholeUpTo =
  (most: number): Rule =>
  (typed) => {
    if (typed.trim() === '') return 'REQUIRED';
    const number = numberOf(typed);
    if (Number.isNaN(number)) return 'WRONG_TYPE';
    return number > most ? 'TOO_BIG' : null;
  };
