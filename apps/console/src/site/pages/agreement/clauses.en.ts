import type { Clause } from '../../shared/doc/doc.js';

export const clauses: readonly Clause[] = [
  {
    title: '1. Who may use the service',
    paragraphs: [
      'You must be 18 or older and have full legal capacity. If you are younger, a guardian must read and accept this agreement, guide your use and take responsibility for it.',
      'The service is offered in mainland China only. If you open or use it elsewhere, you must make sure that this is lawful there and bear the consequences.',
    ],
  },
  {
    title: '2. Accounts',
    paragraphs: [
      'Accounts are created with an email address only; any provider will do. A username has 2–32 letters, digits or Chinese characters, a password 6–32 characters. Use a real mailbox that you control: codes, password resets and security notices go there.',
      'A main account may open sub-accounts if its member group includes them, and distribute characters, voice and images to them. The main account answers for everything its sub-accounts do. Sub-accounts cannot top up, see orders, change the translation channel or close the account.',
      'Keep your password safe. Changing or resetting it signs out every device. If someone else has used your account, change the password at once and contact us.',
      'Closing a main account deletes all of its sub-accounts and what is left of the quota, for good.',
    ],
  },
  {
    title: '3. Quota, billing and validity',
    paragraphs: [
      'Member groups are billed by character or by period. Text costs the Unicode characters you send; voice costs 1 for every started 60 seconds; an image costs 1.',
      'Each translation first reserves what it needs and is charged when it succeeds. If the channel fails or takes too long, the reservation is returned and you pay nothing. Word glosses are free. Every change is written to the account log, where you can check it.',
      'Packages are valid for 30 days and add up. When a package expires, what is left is frozen and becomes usable again after the next top-up. New main accounts have a free trial of 1 month; those who sign up through an invitation get 10,000 more characters, once per mailbox.',
      'Channels have different prices. When you change channels, what is left is converted at equal value and rounded down; the preview you confirm is what you get.',
    ],
  },
  {
    title: '4. Payment',
    paragraphs: [
      'Prices are in RMB and can be paid by WeChat or Alipay; for other methods, ask customer service. Quota arrives once the payment channel has confirmed the payment to us; unpaid orders close automatically.',
      'Quota is digital content and usable at once. Unless the law says otherwise or we cannot provide the service, it is not refunded. If you paid twice or by mistake, customer service will look into it.',
    ],
  },
  {
    title: '5. Fair use',
    paragraphs: [
      'Do not translate or spread anything that breaks the law, harms the rights of others or offends public order; do not use the service for fraud, harassment or mass messages without consent; do not attack it, reverse-engineer it, bypass billing or resell it.',
      'When you use the service inside another chat app, that app’s rules apply too. Bans and limits there are that app’s decision, and we are not liable for them.',
      'If you break this clause we may suspend or end the service, and you bear the damage you cause.',
    ],
  },
  {
    title: '6. Translations and channels',
    paragraphs: [
      'Translations are made by machines and may contain mistakes or gaps. Have contracts and legal, medical or financial texts checked by a professional before you use them.',
      'The channel you choose makes the translation. Third-party channels may change, break or stop. We replace them or tell you as soon as we can, but do not promise that any one of them stays available.',
    ],
  },
  {
    title: '7. Data and privacy',
    paragraphs: [
      'To provide the service we process your username, email, sign-in IP, client type and usage records. The translation log keeps neither the text nor its translation, only its length, languages, channel and time.',
      'To be translated, your text, voice and images are sent to the channel you chose; the offline channel works on our own servers and sends nothing out. Do not submit personal data that you have no right to process.',
      'We protect your data with reasonable measures and give it to nobody unless the law requires it or you agree. After you close your account your personal data is erased; billing records are kept in anonymized form.',
    ],
  },
  {
    title: '8. Keeping your contact details current',
    paragraphs: [
      'If your contact details change, including your email, update them promptly. If we cannot reach you, we say so in your account; if they are not updated within 3 working days after that, we may end the service.',
      'A notice counts as delivered when it is sent to your registered email or published on the site.',
    ],
  },
  {
    title: '9. Changes, interruptions and ending',
    paragraphs: [
      'We may update this agreement and publish the new text on the site; using the service afterwards means that you accept it. If you do not, you can stop and close your account.',
      'After interruptions for maintenance, upgrades, force majeure or third parties we restore the service as soon as we can. You may stop at any time; we may end the service after a serious breach.',
    ],
  },
  {
    title: '10. Liability and disputes',
    paragraphs: [
      'As far as the law allows, our liability is limited to what you paid in the last 30 days for the service concerned; indirect damage and lost profit are excluded.',
      'The law of mainland China applies. Disputes are to be settled by negotiation first; failing that, by the competent people’s court at our place of business.',
      'Questions about this agreement: ask customer service on the contact page.',
    ],
  },
];
