import type zh from './messages.zh.js';

export default {
  title: 'Account log',
  note: 'Where every character, voice and image came from, where it went, and the balance before and after.',
  logType: 'Type',
  anyType: 'All types',
  time: 'Time',
  type: 'Type',
  change: 'Change',
  amount: 'Amount',
  movement: 'Before → after',
  actor: 'By / source',
  emptyTitle: 'No changes in the last 10 days',
  emptyWhy: 'Translate a sentence and it shows up here.',
  emptyAction: 'Translate',
} as const satisfies Record<keyof typeof zh, string>;
