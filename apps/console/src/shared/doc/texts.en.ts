import type zh from './texts.zh.js';

export default {
  copy: 'Copy',
  copyNamed: 'Copy the {{name}}',
} satisfies Record<keyof typeof zh, string>;
