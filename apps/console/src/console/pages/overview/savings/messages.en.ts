import type zh from './messages.zh.js';

export default {
  title: 'Translation memory',
  what: 'Text that was translated before comes from memory, free. Shared only within the same main account and kept encrypted for {{days}} days; the translation test can translate it again.',
  turnedOn: 'On: translations are remembered',
  turnedOff: 'Off: remembered translations are not used for now',
  saved: 'Saved in {{n}} days',
  chars: '{{n, noun(one: char; many: chars)}}',
  answered: 'Free in {{n}} days',
  texts: '{{n, noun(one: text; many: texts)}}',
  kept: 'Remembered now',
  failed: 'The translation memory figures couldn’t be loaded',
  forget: 'Clear all',
  forgetOwn: 'Clear my translations',
  forgetTitle: 'Clear remembered translations?',
  forgetWhat:
    'Deletes all remembered translations of the main account and its sub-accounts. Translating those texts again is charged as usual. Savings so far still count.',
  forgetOwnWhat:
    'Deletes your own translations from the memory. Translating those texts again is charged as usual. Savings so far still count.',
  forgetVerb: 'Clear',
  forgotten: '{{n}} {{n, noun(one: translation; many: translations)}} cleared',
} as const satisfies Record<keyof typeof zh, string>;
