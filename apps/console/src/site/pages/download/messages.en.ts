import type zh from './messages.zh.js';

export default {
  title: 'Download',
  lead: 'The client runs on your computer and brings translation into the chat window. Account, quota and logs are in the member center; nothing to install there.',
  version: 'Version {{version}}',
  size: '{{mb}} MB',
  checksum: 'SHA-256',
  news: 'What’s new: {{notes}}',
  yourSystem: 'Your system',
  fetch: 'Download',
  fetchNamed: 'Download {{label}}',
  choose: 'Choose a version',
  chooseNamed: 'Choose a version: {{label}}',
  failed: 'The downloads couldn’t be loaded',
  empty: 'Nothing to download right now',
  emptyWhy:
    'Ask customer service for the client. The translation test in the member center needs no installation: sign in and use it.',
  contact: 'Customer service',
  howTo: 'How to download and install',
} satisfies Record<keyof typeof zh, string>;
