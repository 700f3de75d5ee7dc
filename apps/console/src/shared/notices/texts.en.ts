import type zh from './texts.zh.js';

export default {
  notices: 'Notices',
  gotIt: 'Got it',
  notAgainToday: 'Not again today',
} satisfies Record<keyof typeof zh, string>;
