import type zh from './messages.zh.js';

export default {
  title: 'Changelog',
  lead: 'What each update changes for you. Visible changes only.',
  contents: 'By date',
} satisfies Record<keyof typeof zh, string>;
