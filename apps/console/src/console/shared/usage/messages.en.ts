import type zh from './messages.zh.js';

export default {
  chartDay: '{{weekday}}, {{month}} {{day}}',
  today: 'Today',
} satisfies Record<keyof typeof zh, string>;
