import type zh from './messages.zh.js';

export default {
  share: '{{share}}% succeeded',
  median: 'median {{s}} s',
  p95: '95% within {{s}} s',
  noTraffic: 'No requests in the last 24 hours',
  littleTraffic: '{{n}} {{n, noun(one: request; many: requests)}} in 24 hours, too few to tell',
  statusFailed: 'The status couldn’t be loaded',
  perTenThousand: '¥{{yuan}} per 10k characters',
} as const satisfies Record<keyof typeof zh, string>;
