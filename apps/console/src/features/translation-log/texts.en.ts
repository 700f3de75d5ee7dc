import type zh from './texts.zh.js';

export default {
  title: 'Translation log',
  note: 'Characters, channel and cost of every translation. Neither the text nor its translation is kept here.',
  time: 'Time',
  direction: 'Languages',
  words: 'Characters',
  charged: 'Charged',
  mode: 'Billing',
  char: 'per character',
  timeMode: 'per period',
  channel: 'Channel',
  unknownChannel: 'Channel {{id}}',
  source: 'IP / client',
  status: 'Result',
  ok: 'Done',
  failed: 'Failed',
  notCharged: 'not charged',
  free: 'free',
  emptyTitle: 'No translations in the last 10 days',
  emptyWhy: 'Translate a sentence and it shows up here.',
  emptyAction: 'Translate',
} as const satisfies Record<keyof typeof zh, string>;
