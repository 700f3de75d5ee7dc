import type zh from './messages.zh.js';

export default {
  contents: 'On this page',
  copy: 'Copy',
  copyNamed: 'Copy the {{name}}',
} satisfies Record<keyof typeof zh, string>;
