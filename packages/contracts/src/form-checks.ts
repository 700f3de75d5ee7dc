/**
 * Checks of the form fields before login without zod, which is too large for these pages (docs/decisions/0026). form-checks.spec.ts compares
 * each with its schema in fields.ts, so that form and server report the same errors.
 */
import { ACCOUNT_MIN, EMAIL_MAX, NAME_MAX, NAME_MIN, PASSWORD_MAX, PASSWORD_MIN } from '@yiqiao/domain/limits';
import { codePoints, isEmail, isSafeName, isUsername, tidy } from '@yiqiao/domain/members';
import type { AccountFieldCode } from './account-field-messages.js';

/** The error code of an input, or null. */
export type FieldCheck = (input: string) => AccountFieldCode | null;
type Rule = readonly [isValid: (text: string) => boolean, code: AccountFieldCode];

const firstError = (text: string, rules: readonly Rule[]): AccountFieldCode | null =>
  rules.find(([isValid]) => !isValid(text))?.[1] ?? null;

const filled = (text: string): boolean => text !== '';
const atLeast =
  (least: number) =>
  (text: string): boolean =>
    codePoints(text) >= least;
const atMost =
  (most: number) =>
  (text: string): boolean =>
    codePoints(text) <= most;
const fieldCheck =
  (rules: readonly Rule[], normalize: (input: string) => string = tidy): FieldCheck =>
  (input) =>
    firstError(normalize(input), rules);

export const username = fieldCheck([
  [filled, 'USERNAME_REQUIRED'],
  [atLeast(NAME_MIN), 'USERNAME_MIN'],
  [atMost(NAME_MAX), 'USERNAME_MAX'],
  [isUsername, 'USERNAME_FORMAT'],
]);

export const email = fieldCheck([
  [filled, 'EMAIL_REQUIRED'],
  [atMost(EMAIL_MAX), 'EMAIL_MAX'],
  [isEmail, 'EMAIL_FORMAT'],
]);

export const account = fieldCheck([
  [filled, 'ACCOUNT_REQUIRED'],
  [atLeast(ACCOUNT_MIN), 'ACCOUNT_MIN'],
  [(text) => atMost(EMAIL_MAX)(text) && isSafeName(text), 'INVALID'],
]);

/** Passwords are not normalised. */
export const password = fieldCheck(
  [
    [filled, 'PASSWORD_REQUIRED'],
    [atLeast(PASSWORD_MIN), 'PASSWORD_MIN'],
    [atMost(PASSWORD_MAX), 'PASSWORD_MAX'],
  ],
  (input) => input,
);

export const vcode: FieldCheck = (input) =>
  input === '' ? 'VCODE_REQUIRED' : firstError(tidy(input), [[(text) => /^\d{6}$/.test(text), 'VCODE_FORMAT']]);
