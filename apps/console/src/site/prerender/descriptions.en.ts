import type { SitePage } from '../page-table.js';

export const descriptions: Readonly<Record<Exclude<SitePage['path'], `/productDesc/${string}`>, string>> = {
  '/home':
    '{{brand}} brings 20+ social apps into one window, with unlimited instances of each, and translates text, voice and images both ways in 200+ languages. Every contact keeps their own language.',
  '/price':
    'Packages and prices of {{brand}}: by the character or by the month, in Chinese yuan, paid by Alipay, WeChat Pay and more. Try it free first.',
  '/useDoc':
    'From signing up to the first translated sentence: registration, operation and translation capture in {{brand}}.',
  '/developers':
    'The API of {{brand}}: translate from your own software with a key, with examples in curl, Node, Python and PHP. DeepL, Google, LibreTranslate, DeepLX and Immersive Translate clients work with another address.',
  '/contactUs':
    'Sales and after-sales service of {{brand}}: QR codes and accounts on WeChat, WhatsApp and Telegram, and a way to check that an account is really ours.',
  '/download':
    'Download the {{brand}} client, which translates both ways inside the chat apps. Account, quota and logs are in the member center, with nothing to install.',
  '/privacy': 'What information {{brand}} processes to translate, why, how long it is kept, and how you manage it.',
  '/refund': 'When {{brand}} gives refunds, when it does not, and how to ask for one.',
  '/term-and-condition':
    'The user agreement of {{brand}} in full: age and guardians, where it applies, accounts, quota and payment, ending the service.',
  '/login':
    'Sign in to the {{brand}} member center, or sign up with an email and try text, voice and image translation for free.',
  '/UserCenterExit': 'You have left the {{brand}} member center.',
  '/status':
    'Real success rates, response times and incidents of each translation channel of {{brand}} over 90 days, and how they are measured.',
  '/ledger-proof':
    'The signed daily closes of {{brand}}: the ledger of all accounts as one Merkle root that anybody can verify.',
  '/changelog': 'What each update of {{brand}} changes for members, by date.',
  '/PaySuccess': 'How your payment to {{brand}} went.',
};
