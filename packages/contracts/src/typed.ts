/**
 * What a person types into a form before login, judged without the machinery of schemas, which weighs more than such a page may
 * (docs/decisions/0026). typed.spec.ts holds each to its schema in fields.ts: form and server say the same for the same reason.
 */
import { ACCOUNT_MIN, EMAIL_MAX, NAME_MAX, NAME_MIN, PASSWORD_MAX, PASSWORD_MIN } from '@yiqiao/domain/limits';
import { codePoints, isEmail, isSafeName, isUsername, tidy } from '@yiqiao/domain/members';
import type { FieldCode } from './texts.js';

/** The code of what is wrong with a text, or null. */
export type Judge = (typed: string) => FieldCode | null;
type Check = readonly [isRight: (text: string) => boolean, code: FieldCode];

const firstWrong = (text: string, checks: readonly Check[]): FieldCode | null =>
  checks.find(([isRight]) => !isRight(text))?.[1] ?? null;

const filled = (text: string): boolean => text !== '';
const atLeast =
  (least: number) =>
  (text: string): boolean =>
    codePoints(text) >= least;
const atMost =
  (most: number) =>
  (text: string): boolean =>
    codePoints(text) <= most;
const judge =
  (checks: readonly Check[], read: (typed: string) => string = tidy): Judge =>
  (typed) =>
    firstWrong(read(typed), checks);

export const username = judge([
  [filled, 'USERNAME_REQUIRED'],
  [atLeast(NAME_MIN), 'USERNAME_MIN'],
  [atMost(NAME_MAX), 'USERNAME_MAX'],
  [isUsername, 'USERNAME_FORMAT'],
]);

export const email = judge([
  [filled, 'EMAIL_REQUIRED'],
  [atMost(EMAIL_MAX), 'EMAIL_MAX'],
  [isEmail, 'EMAIL_FORMAT'],
]);

export const account = judge([
  [filled, 'ACCOUNT_REQUIRED'],
  [atLeast(ACCOUNT_MIN), 'ACCOUNT_MIN'],
  [(text) => atMost(EMAIL_MAX)(text) && isSafeName(text), 'INVALID'],
]);

/** Passwords are taken as they are. */
export const password = judge(
  [
    [filled, 'PASSWORD_REQUIRED'],
    [atLeast(PASSWORD_MIN), 'PASSWORD_MIN'],
    [atMost(PASSWORD_MAX), 'PASSWORD_MAX'],
  ],
  (typed) => typed,
);

export const vcode: Judge = (typed) =>
  typed === '' ? 'VCODE_REQUIRED' : firstWrong(tidy(typed), [[(text) => /^\d{6}$/.test(text), 'VCODE_FORMAT']]);
