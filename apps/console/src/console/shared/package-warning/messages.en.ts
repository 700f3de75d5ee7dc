import type zh from './messages.zh.js';

export default {
  label: 'Account reminder',
  expired: 'The package has expired. What is left can be used again after a top-up.',
  trialOver: 'The trial is over. Choose a package to continue.',
  trialOverSub: 'The trial is over.',
  ending: 'The package expires on {{date}}: {{days}} {{days, noun(one: day; many: days)}} left',
  endingToday: 'The package expires today at {{time}}',
  trialEnding: 'The trial ends on {{date}}: {{days}} {{days, noun(one: day; many: days)}} left',
  trialEndingToday: 'The trial ends today at {{time}}',
  low: '{{n}} characters left, fewer than the {{least}} you set',
  recharge: 'Recharge',
  renew: 'Renew',
  choose: 'Choose a package',
  askForQuota: 'Ask your main account for characters',
  askForRenewal: 'Ask your main account to renew it',
  close: 'Close the reminder',
} as const satisfies Record<keyof typeof zh, string>;
