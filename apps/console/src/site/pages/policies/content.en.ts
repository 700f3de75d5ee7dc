import type { Policies } from '../../shared/doc/doc.js';

/** In step with the user agreement: what it says of payment, data and ending holds here, too. */
const policies: Policies = {
  privacy: {
    lead: 'What information we process to translate for you, why, for how long, and what you can do about it.',
    updated: 'Updated November 21, 2026',
    parts: [
      {
        title: 'What we collect',
        blocks: [
          {
            list: [
              'Account: email, username, nickname. Of your password we keep only an irreversible digest.',
              'Sign-ins: time, IP, type of client, browser and system; to recognize new devices, a digest of browser, system and network. With two-step sign-in, its key in encrypted form and digests of the recovery codes.',
              'Use: languages, number of characters, channel, time and cost of each translation; orders and changes of quota.',
            ],
          },
        ],
      },
      {
        title: 'Your texts',
        blocks: [
          'To be translated, text, voice and images are sent to the channel that you chose. The offline channel works on our own servers and sends nothing out.',
          'The translation log keeps neither source nor translation. With the translation memory on, both are kept encrypted and used under the same main account only; turn it off in the overview at any time, or clear all of it. A sentence tried on the home page is not stored.',
          { warning: 'Do not submit personal information that you have no right to handle.' },
        ],
      },
      {
        title: 'How long we keep it',
        blocks: [
          {
            list: [
              'Account, sign-ins and use: until the account is closed; after that, billing records are kept in anonymized form.',
              'Staying signed in: ends after 7 days without use.',
              'Translation memory: deleted after 30 days; no longer used once it is turned off or cleared.',
              'Codes: expire after 10 minutes.',
            ],
          },
        ],
      },
      {
        title: 'What stays in your browser',
        blocks: [
          {
            list: [
              'Your session, in the open tab only; signing out removes it.',
              'Your choice of language, and of light or dark.',
              'If you sign up after trying a sentence on the home page: that sentence, in the open tab, until the translation test has taken it over.',
              'The numbers of notices that you asked not to see again today, until midnight; that you hid the first steps, for a year.',
            ],
          },
          'We place no identifiers for advertising or for tracking across sites.',
        ],
      },
      {
        title: 'Your rights',
        blocks: [
          {
            list: [
              'See and change your data and download your logs in the member center.',
              'A main account can be closed in the overview. Personal information is then deleted; billing records are kept in anonymized form.',
            ],
          },
          'Unless the law requires it or you agree, we give your information to nobody.',
          { to: '/contactUs', text: 'Contact us' },
        ],
      },
    ],
  },
  refund: {
    lead: 'Quota is digital content, usable as soon as it arrives. This page says when we refund it, and how to ask for a refund.',
    updated: 'Updated November 21, 2026',
    parts: [
      {
        title: 'When we refund',
        blocks: [
          {
            list: [
              'You paid twice or by mistake, and we have verified it.',
              'The service cannot be provided after payment.',
              'The law requires it.',
            ],
          },
        ],
      },
      {
        title: 'When we do not',
        blocks: [
          'Once quota has arrived there is no refund except in the cases above. Use the free trial first to see whether the translations and channels suit you.',
          { note: 'A failed translation costs nothing: the quota set aside for it is returned automatically.' },
        ],
      },
      {
        title: 'How to ask',
        blocks: [
          {
            steps: [
              'Find the order number in “Recharge orders”.',
              'Tell customer service on the contact page what happened, with the order number.',
              'Once verified, we refund the unused part, and the order shows how much.',
            ],
          },
          { warning: 'Verify the customer-service account first, and never tell anyone your password or a code.' },
          { to: '/contactUs', text: 'Contact us' },
        ],
      },
    ],
  },
};
export default policies;
