import type zh from './messages.zh.js';

export default {
  change: 'Change nickname',
  label: 'Nickname',
  changed: 'Modified',
  failed: 'Modification failed',
} as const satisfies Record<keyof typeof zh, string>;
