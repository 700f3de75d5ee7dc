import type { Section } from './tree.js';

/** The client's functions as specification §1 names them; how its windows look is not said. */
export const client = {
  yhzx: {
    title: 'User center',
    lead: 'Client and console are one account. The quota you see in the client is the quota of the console.',
    parts: [
      {
        title: 'In the client',
        blocks: [
          'Sign in with your username or email. This works for main accounts and sub-accounts, each with its own quota.',
        ],
      },
      {
        title: 'In the console',
        blocks: [
          'Topping up, orders, distributing quota, changing the translation channel and the logs are in the console on this site.',
          { to: '/UserCenterIndex', text: 'Open the member center' },
        ],
      },
    ],
  },
  tjyy: {
    title: 'Add application',
    lead: 'The client works with more than 20 chat apps, with as many instances of each as you like.',
    parts: [
      {
        title: 'One app, several accounts',
        blocks: [
          'For several accounts at the same time, add the app several times and sign in to one account in each.',
          { note: 'You sign in to the chat app yourself. Please follow that app’s rules.' },
        ],
      },
      {
        title: 'Before you add one',
        blocks: [
          {
            list: [
              'Make sure that there is quota left and the package has not expired.',
              'Decide who looks after which app: a sub-account for each colleague keeps the quota apart.',
            ],
          },
          { to: '/productDesc/zzhgl', text: 'How to create a sub-account' },
        ],
      },
    ],
  },
  yygl: {
    title: 'Application management',
    lead: 'With many apps it helps to keep them apart, and to know what each costs.',
    parts: [
      {
        title: 'One purpose each',
        blocks: [
          'Several accounts of one app are independent of each other. Divide them by shop, region or colleague, and let each do one thing.',
        ],
      },
      {
        title: 'Usage',
        blocks: [
          'Translations in the client and in the translation test use the same quota. Channel, characters and cost of each are in the translation log; main accounts also see in the overview how much each account used.',
          { to: '/UserCenterChangeTranslateLog', text: 'See the translation log' },
        ],
      },
    ],
  },
  gysz: {
    title: 'Translation settings',
    lead: 'More than 200 languages in both directions, and language settings for every contact.',
    parts: [
      {
        title: 'Languages per contact',
        blocks: [
          'Set two languages for a contact: the one you write, and the one they read. What comes in is translated into yours, what goes out into theirs.',
          {
            source: '您好，样品已经寄出。',
            translation: 'Hola, la muestra ya se ha enviado.',
            languages: ['zh-CN', 'es'],
          },
        ],
      },
      {
        title: 'Translation channels',
        blocks: [
          'The channels are Google, Microsoft, Tencent, Youdao, DeepL and ChatGPT. The main account changes the channel in the overview of the console; sub-accounts follow it.',
          { note: 'Channels differ in price. Compare them side by side in the translation test, then choose.' },
          { to: '/UserCenterChangeTranslateTest', text: 'Compare channels' },
        ],
      },
      {
        title: 'Text, voice and images',
        blocks: [
          {
            list: [
              'Text is counted in characters.',
              'Voice is counted once for every 60 seconds or part of it.',
              'Each image counts once.',
            ],
          },
        ],
      },
    ],
  },
  kjhf: {
    title: 'Quick reply',
    lead: 'Keep what you often say ready to send.',
    parts: [
      {
        title: 'What to prepare',
        blocks: [
          {
            list: [
              'A greeting, and who you are.',
              'Price, minimum order and delivery time.',
              'Payment methods and shipping notices.',
              'After-sales and returns.',
            ],
          },
          'Write in your own language, one point per sentence: short sentences translate best.',
          {
            source: 'Hello, this is Lin. I am looking after your order.',
            translation: 'Hola, soy Lin y me encargo de su pedido.',
            languages: ['en', 'es'],
          },
        ],
      },
      {
        title: 'The same words every time',
        blocks: [
          'Put brands and models into the glossary first, and they are always translated the same way.',
          { to: '/UserCenterGlossary', text: 'Open the glossary' },
        ],
      },
    ],
  },
  fsbz: {
    title: 'Contact notes',
    lead: 'Keep notes on a contact to know next time who you are talking to.',
    parts: [
      {
        title: 'What to write',
        blocks: [
          {
            list: [
              'Country, time zone and language.',
              'What they bought, and what they asked about.',
              'How far you got, and what comes next.',
            ],
          },
        ],
      },
      {
        title: 'Mind their privacy',
        blocks: [
          {
            warning:
              'Notes are about other people. Write only what business needs: no ID numbers, passwords or card numbers.',
          },
        ],
      },
    ],
  },
  qfxx: {
    title: 'Mass messaging',
    lead: 'One text to many contacts, each in their own language.',
    parts: [
      {
        title: 'Count first',
        blocks: [
          'Each language a text is translated into costs its characters once. Make sure there are enough before you begin.',
          {
            source: 'New stock has arrived. Ask us for a price.',
            translation: 'Las novedades ya están en almacén. Consúltenos el precio.',
            languages: ['en', 'es'],
          },
          {
            source: 'New stock has arrived. Ask us for a price.',
            translation: 'Les nouveautés sont en stock. Demandez-nous le prix.',
            languages: ['en', 'fr'],
          },
          { note: 'Send it to a colleague first, look at the translation, then send it to customers.' },
        ],
      },
      {
        title: 'Keep to the rules',
        blocks: [
          {
            warning:
              'Write only to people who agreed to it. Harassment and messages without consent break the user agreement, and chat apps may restrict the account.',
          },
        ],
      },
    ],
  },
  aihf: {
    title: 'AI reply',
    lead: 'AI drafts the reply; you read it before it goes.',
    parts: [
      {
        title: 'How to use it well',
        blocks: [
          {
            list: [
              'Check prices, dates and promises yourself before you send them.',
              'Let a professional confirm anything about contracts, law or health.',
            ],
          },
        ],
      },
      {
        title: 'Quota',
        blocks: [
          'Translating the reply costs what any other translation costs. You can check it in the translation log.',
        ],
      },
    ],
  },
  dlsz: {
    title: 'Proxy settings',
    lead: 'The proxy settings are in the client and decide how it connects to the network.',
    parts: [
      {
        title: 'Do you need them?',
        blocks: [
          'Not if you can open this site and send messages. If your company network requires a proxy, ask its administrator for address, port and account.',
        ],
      },
      {
        title: 'If it does not connect',
        blocks: [
          {
            steps: [
              'Open this site in a browser to see whether the network works.',
              'Check the address and the port of the proxy.',
              'If it still fails, ask customer service.',
            ],
          },
          { warning: 'Use only a proxy you trust, and follow local law.' },
        ],
      },
    ],
  },
  xtsz: {
    title: 'System settings',
    lead: 'Settings of the client itself are here; account and quota are set in the console.',
    parts: [
      {
        title: 'What the console sets',
        blocks: [
          {
            list: [
              'Nickname, password and signed-in devices: “Profile” and “Change password”.',
              'Balance and expiry reminders: “Profile”.',
              'Translation channel and automatic distribution: overview, main accounts only.',
            ],
          },
          { to: '/UserCenterInfo', text: 'Open your profile' },
        ],
      },
      {
        title: 'Keep it current',
        blocks: [
          'New versions appear on the download page, with their number below the name.',
          { to: '/download', text: 'Open the download page' },
        ],
      },
    ],
  },
} satisfies Record<string, Section>;
