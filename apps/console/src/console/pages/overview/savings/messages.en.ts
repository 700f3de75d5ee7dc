import type zh from './messages.zh.js';

export default {
  title: 'Translation memory',
  what: 'A text that was translated before is answered from memory, free. Shared only under the same main account, kept encrypted for {{days}} days; the translation test can translate it again.',
  turnedOn: 'On: translations are remembered',
  turnedOff: 'Off: what is remembered is not used for now',
  saved: 'Saved in {{n}} days',
  chars: '{{n, noun(one: char; many: chars)}}',
  answered: 'Free in {{n}} days',
  texts: '{{n, noun(one: text; many: texts)}}',
  kept: 'Remembered now',
  failed: 'The figures of the translation memory did not load',
  forget: 'Forget all',
  forgetOwn: 'Forget what I translated',
  forgetTitle: 'Forget remembered translations?',
  forgetWhat:
    'What the main account and all sub-accounts had remembered is deleted. Translating it again is charged as usual. What was saved stays counted.',
  forgetOwnWhat:
    'What you had translated is deleted from the memory. Translating it again is charged as usual. What was saved stays counted.',
  forgetVerb: 'Forget',
  forgotten: '{{n}} {{n, noun(one: translation; many: translations)}} forgotten',
} as const satisfies Record<keyof typeof zh, string>;
