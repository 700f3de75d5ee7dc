import type zh from './messages.zh.js';

export default {
  done: 'You have logged out',
  soon: 'Back to the home page in {{seconds}} s',
  now: 'Go now',
  again: 'Log in again',
} satisfies Record<keyof typeof zh, string>;
