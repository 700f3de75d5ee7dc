import type zh from './messages.zh.js';

export default {
  title: 'User agreement',
  updated: 'Updated November 20, 2026',
  inForce: 'Effective November 20, 2026',
  intro:
    'Welcome to {{brand}}. This agreement is between you and the operator of {{brand}} (named in the copyright line of this site, “we”). It covers your account and the text, voice and image translation services. Please read all of it before you sign up: by checking the box and completing registration, you accept every clause.',
  end: 'End of the agreement',
} satisfies Record<keyof typeof zh, string>;
