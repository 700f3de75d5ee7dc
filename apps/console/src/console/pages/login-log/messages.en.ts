import type zh from './messages.zh.js';

export default {
  title: 'Sign-in log',
  note: 'When, from which address and with which client you signed in. If one of them was not you, change your password now.',
  ip: 'IP',
  clientType: 'Client',
  time: 'Sign-in time',
  emptyTitle: 'No sign-ins in the last 10 days',
  emptyWhy: 'Choose another time range to see earlier ones. If a sign-in was not yours, change your password.',
  emptyAction: 'Change password',
} as const satisfies Record<keyof typeof zh, string>;
