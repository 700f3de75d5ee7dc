import type zh from './messages.zh.js';

export default {
  change: 'Change nickname',
  label: 'Nickname',
  changed: 'Nickname changed',
  failed: 'The nickname was not changed',
} as const satisfies Record<keyof typeof zh, string>;
