import type zh from './messages.zh.js';

export default {
  notices: 'Notices',
  gotIt: 'Got it',
  notAgainToday: 'Not again today',
} satisfies Record<keyof typeof zh, string>;
