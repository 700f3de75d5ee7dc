import type { Entry } from './entry.js';

const entries: readonly Entry[] = [
  {
    date: '2026-11-28',
    changes: [
      'API keys: translate from your own shop, help desk, plug-ins and scripts. Each key has its own scopes, channel, caps in characters per day and month, allowed IP addresses and expiry, and can be rotated and revoked.',
      'Clients of DeepL, Google, LibreTranslate, DeepLX and Immersive Translate work with another address and key; a retry after a time-out never charges twice.',
      'The page “Developers” describes every call with examples, and lets members try it.',
      'The translation log and the account log name the key of a request.',
    ],
  },
  {
    date: '2026-11-23',
    changes: [
      'Try one sentence on the home page before you sign up: two channels side by side, each with its price, and nothing is stored.',
      'The price page works out the cheapest package from your messages a day, lists channel, unit price, voice, images and team for each package, and answers questions before you buy.',
      'Packages are credited at the price of their reference channel: buying before or after a change of channel comes to the same, and you see what is credited before you pay.',
      'Refunds return the unused part of an order, and the order shows the amount.',
      'Receipts and refund notices arrive by email, as do alerts about sign-ins from new devices and closed accounts.',
      'Choose light or dark in the footer of public pages; they print, and work with high contrast and forced colors.',
      'The system status page shows success, response times and incidents of each translation channel over 90 days.',
      'Main accounts can turn on two-step sign-in: a code in addition to the password, and recovery codes for a lost phone.',
      'Pages tell you at once when you are offline, and reload their lists when you are back.',
      'Tutorial and documentation: steps are numbered, and phones have a list of contents.',
    ],
  },
  {
    date: '2026-11-22',
    changes: [
      'Public pages show their content before their script loads; clicks before that are not lost.',
      'Layout on phones and tablets corrected page by page: home, sign-in, pricing, documents.',
      'Screen readers name carousels, dialogs, forms and the parts of the footer.',
    ],
  },
  {
    date: '2026-11-21',
    changes: [
      'Top up with WeChat Pay, Alipay or LianLian, and payments are verified for you. Orders can be paid later or canceled, and come with receipts.',
      'Sub-accounts: create, disable, delete; distribute quota and take it back, by hand or automatically.',
      'Channels: Google, Microsoft, Tencent, Youdao, DeepL, ChatGPT, LibreTranslate. Compare up to three side by side; a main account may let another channel step in when its own fails.',
      'Voice and images: check the transcript before you translate it; translations are written where the text stood in the picture.',
      'Glossary: brands and models are translated the same way on every channel.',
      'Translation memory: repeated sentences cost nothing. Off by default.',
      'Logs can be filtered and downloaded as CSV; the overview charts 7 and 30 days of use.',
      'Signed-in devices, balance and expiry reminders, notices, light and dark.',
    ],
  },
  {
    date: '2026-11-20',
    changes: [
      'First version: sign-up and sign-in, text translation, the offline engine, overview and three logs.',
      'The account log states the balance before and after every change and chains the entries, so that tampering shows.',
    ],
  },
];
export default entries;
