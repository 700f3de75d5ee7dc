import type zh from './messages.zh.js';

export default {
  pageHome: 'Home',
  homeTitle: '{{brand}} · Chat translation for cross-border sellers',
  pageLogin: 'Sign in and sign up',
  pageAgreement: 'User agreement',
  pageExit: 'Sign out',
  pagePrice: 'Pricing',
  pageUseDoc: 'Documentation',
  pageContact: 'Contact',
  pageDownload: 'Download',
  pageProductDesc: 'Product tutorial',
  pagePrivacy: 'Privacy policy',
  pageRefund: 'Refund rules',
  pageChangelog: 'Changelog',
  pagePaySuccess: 'Payment result',
  logIn: 'Sign in',
  signUp: 'Sign up free',
  useOnPc: 'Please sign in to the website on a PC to use this feature!',
  codeOf: '{{platform}} QR code: {{account}}',
  footProduct: 'Product',
  footSupport: 'Support',
} satisfies Record<keyof typeof zh, string>;
