import type zh from './texts.zh.js';

export default {
  title: '{{page}}: coming with the next version',
  why: 'This page opens with the next version. Meanwhile, try a translation, or see every unit of your quota in the account log.',
  whyVisitor: 'This page opens with the next version. Meanwhile, sign up and try a translation on a real engine.',
  backHome: 'Back to home',
  test: 'Try a translation',
  signUp: 'Sign up free',
} satisfies Record<keyof typeof zh, string>;
