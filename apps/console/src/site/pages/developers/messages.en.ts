import type zh from './messages.zh.js';

export default {
  language: 'Language of the examples',
  copy: 'Copy',
  copyNamed: 'Copy the {{name}}',
  example: '{{language}} example',
  tableLabel: '{{title}}: table',
  waitWebhooks: 'Loading…',
  webhooksFailed: 'This part couldn’t be loaded. Reload the page.',
  waitTry: 'Preparing the form…',
  visitorTry: 'Signed-in members can send a real request with their own key here.',
  signUp: 'Sign up free',
  logIn: 'Sign in',
  tryFailed: 'The form couldn’t be loaded',
} satisfies Record<keyof typeof zh, string>;
