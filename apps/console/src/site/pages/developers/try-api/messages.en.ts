import type zh from './messages.zh.js';

export default {
  key: 'API key',
  keyExample: 'yq_…',
  keyHint: 'Kept in the memory of this page only; a reload clears it. No key yet?',
  keyLink: 'Make one',
  keyRequired: 'Please paste a key',
  keyUrl: 'URL tokens do not work here. Use a key that begins with yq_',
  text: 'Text',
  sample: 'Hello, is this still in stock?',
  textRequired: 'Please enter a text',
  target: 'Target language',
  send: 'Send request',
  sending: 'Sending',
  costNote: 'Charged by the character, like any call.',
  answer: 'Answer',
  status: 'HTTP {{status}}, {{ms}} ms',
  notReached: 'No answer came. Check the network and try again.',
} satisfies Record<keyof typeof zh, string>;
