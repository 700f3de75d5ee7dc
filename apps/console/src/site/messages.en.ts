import type zh from './messages.zh.js';

export default {
  pageHome: 'Home',
  pageLogin: 'Log in and sign up',
  pageAgreement: 'User agreement',
  pageExit: 'Log out',
  pagePrice: 'Pricing',
  pageUseDoc: 'Documentation',
  pageContact: 'Contact',
  pageDownload: 'Download',
  pageProductDesc: 'Product tutorial',
  pagePrivacy: 'Privacy policy',
  pageRefund: 'Refund rules',
  pagePaySuccess: 'Payment result',
  logIn: 'Log in',
  signUp: 'Sign up free',
  useOnPc: 'Please log in to the website on a PC to use this feature!',
  codeOf: '{{platform}} QR code: {{account}}',
  footProduct: 'Product',
  footSupport: 'Support',
} satisfies Record<keyof typeof zh, string>;
