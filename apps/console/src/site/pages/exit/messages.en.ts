import type zh from './messages.zh.js';

export default {
  done: 'You have signed out',
  soon: 'Back to the home page in {{seconds}} s',
  now: 'Go now',
  again: 'Sign in again',
} satisfies Record<keyof typeof zh, string>;
