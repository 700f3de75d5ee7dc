import type { Section } from './tree.js';

export const officialConsole = {
  hyxx: {
    title: 'Member information',
    lead: 'The overview is what you see first: what is left, what was used, and which translation channel you are on.',
    parts: [
      {
        title: 'Overview',
        blocks: [
          {
            list: [
              'Billed by the character, you see the characters left; billed by time, the expiry date.',
              'Voice is counted in uses, images one by one.',
              'The chart shows the use of each day; choose a day to see every change of that day.',
              'Change the nickname beside your name; click email or username to copy it.',
            ],
          },
          {
            screen: {
              alt: 'The quota in the overview: 1,284,500 characters left, 320 voice uses, 180 images.',
              title: 'Quota',
              rows: [
                { fact: 'Characters left', value: '1,284,500' },
                { fact: 'Voice left', value: '320 uses' },
                { fact: 'Images left', value: '180 images' },
              ],
            },
          },
          { note: 'Balances update after every translation. No need to reload.' },
        ],
      },
      {
        title: 'Translation channel',
        blocks: [
          'A main account changes its channel in the overview. Prices differ between channels, so the balance is converted at equal value and its number may change. You see the result before you confirm; sub-accounts are converted with it.',
          'When no other channel is available, the dialog says why.',
        ],
      },
      {
        title: 'Reminders',
        blocks: [
          'In “Profile”, set at how many characters left, and how many days before expiry, to be reminded; by email too if you like. 0 means no reminder.',
          { to: '/UserCenterIndex', text: 'Open the overview' },
        ],
      },
    ],
  },
  hycz: {
    title: 'Member recharge',
    lead: 'Packages are billed by the character or by the month, and are valid for 30 days. Only main accounts can top up.',
    parts: [
      {
        title: 'Choose a package',
        blocks: [
          {
            list: [
              'Character users pay for what they use and can have sub-accounts.',
              'Monthly users have no character limit for 30 days, and no sub-accounts.',
            ],
          },
          'Enter the quantity: the order says what you receive, how long it is valid, and what it costs.',
          {
            screen: {
              alt: 'An order: Standard, per character, 2,000,000 characters, valid for 30 days from payment, total 88.00 yuan, with the button “Pay now”.',
              title: 'Order',
              rows: [
                { fact: 'Package', value: 'Standard · per character' },
                { fact: 'You get', value: '2,000,000 characters' },
                { fact: 'Valid', value: '30 days from payment' },
                { fact: 'Total', value: '¥88.00' },
                { button: 'Pay now' },
              ],
            },
          },
          { to: '/price', text: 'See the prices' },
        ],
      },
      {
        title: 'Pay',
        blocks: [
          'Choose a method, then “Pay now”, and scan the code with WeChat or Alipay. The page detects the payment. For other methods, ask customer service.',
          {
            note: 'The payment dialog stays open for 5 minutes at most. If it closes, go on with the unpaid order in “Recharge orders”.',
          },
        ],
      },
      {
        title: 'Look up an order',
        blocks: [
          '“Recharge orders” lists amount, method, status and times. If you have paid and it still says unpaid, refresh the order to check with the payment gateway. Paid orders have a receipt to print.',
        ],
      },
      {
        title: 'When the billing changes',
        blocks: [
          'From characters to monthly, your characters become time; from monthly to characters, the remaining time becomes characters. The order says so before you pay.',
        ],
      },
    ],
  },
  zzhgl: {
    title: 'Sub-account management',
    lead: 'A main account can create sub-accounts for its team and distribute characters, voice and images to them. There is no limit to their number.',
    parts: [
      {
        title: 'Create a sub-account',
        blocks: [
          'Go to “Member center › Sub-accounts”, choose “Add sub-account”, and enter an account name (1) and a password (2). The account name cannot be changed later.',
          {
            screen: {
              alt: 'The form for a new sub-account: account “latam2”, 2–32 digits, letters or Chinese characters; password, 6–32 characters.',
              title: 'Add a sub-account',
              rows: [
                { field: 'Account', value: 'latam2', hint: '2–32 digits, letters or Chinese characters' },
                { field: 'Password', value: '••••••••', hint: '6–32 characters' },
              ],
            },
          },
          {
            warning:
              'If your member group does not include sub-accounts, the page says so and takes you to “Recharge”.',
          },
        ],
      },
      {
        title: 'Distribute quota',
        blocks: [
          'Choose “Distribute” in the list: one tab each for characters, voice and images. Characters go in steps of 10,000, voice and images in steps of 1. Before you confirm, you see both balances before and after.',
          {
            screen: {
              alt: 'Distributing 250,000 characters to latam2: the main account goes from 1,284,500 to 1,034,500, the sub-account from 0 to 250,000.',
              title: 'Distribute to latam2',
              rows: [
                { moved: 'Main account', by: '−250,000', before: '1,284,500', after: '1,034,500' },
                { moved: 'Sub-account', by: '+250,000', before: '0', after: '250,000' },
                { button: 'Distribute' },
              ],
            },
          },
          { warning: 'If the main account does not have enough, the dialog says so and cannot be confirmed.' },
        ],
      },
      {
        title: 'Automatic distribution',
        blocks: [
          'When it is on, a sub-account that runs short of characters is topped up from the main account, rounded up to the next 10,000 characters. Set it for one sub-account or for all.',
        ],
      },
      {
        title: 'Disable, delete, reset a password',
        blocks: [
          {
            list: [
              'Disable: signed out at once and unable to sign in until enabled again; the quota stays.',
              'Delete: the account is gone for good, and all of its quota returns to the main account. Select several to delete them together.',
              'Reset the password: the sub-account signs in again with the new one.',
            ],
          },
          { to: '/UserCenterChild', text: 'Open sub-accounts' },
        ],
      },
    ],
  },
  xgmm: {
    title: 'Other functions',
    lead: 'Change the password, read logs, try a translation, keep a glossary: all in the menu on the left of the console.',
    parts: [
      {
        title: 'Change the password',
        blocks: [
          'Use the old password, or a code sent to your email. You then sign in again on every device.',
          '“Profile” lists the devices that are signed in; sign out one of them, or all.',
        ],
      },
      {
        title: 'Three logs',
        blocks: [
          {
            list: [
              'Account log: where all quota came from and where it went, with the balance before and after.',
              'Translation log: channel, languages, characters and cost of every translation. Source and translation are not kept in it.',
              'Sign-in log: when, from which IP and with which client you signed in.',
            ],
          },
          {
            screen: {
              alt: 'Three lines of the account log, each beginning where the one before it ended: translation 38, distribution 250,000, recharge 2,000,000.',
              title: 'Account log',
              rows: [
                { moved: 'Translation', by: '−38', before: '3,034,500', after: '3,034,462' },
                { moved: 'Distribution', by: '−250,000', before: '3,284,500', after: '3,034,500' },
                { moved: 'Recharge', by: '+2,000,000', before: '1,284,500', after: '3,284,500' },
              ],
            },
          },
          'You see the last 10 days first. Filter by time, and download them as CSV.',
        ],
      },
      {
        title: 'Translation test',
        blocks: [
          'Choose the two languages, enter a text and translate. Pick several channels to see their translations side by side. Voice and images have a tab each.',
          {
            note: 'The test uses the same quota as your chats and costs what was used. A failed translation costs nothing.',
          },
          { to: '/UserCenterChangeTranslateTest', text: 'Try a translation' },
        ],
      },
      {
        title: 'Glossary and translation memory',
        blocks: [
          'Put brands and models into the glossary, and every translation uses the same words for them. Main account and sub-accounts share it. Add terms one by one or import a CSV file.',
          'With translation memory turned on in the overview, text that was translated before comes from memory, free. It is off by default; you can turn it off or clear all of it at any time.',
        ],
      },
      {
        title: 'Close the account',
        blocks: [
          'A main account can be closed at the bottom of the overview, with its password.',
          { warning: 'This deletes all sub-accounts and the remaining quota, for good.' },
        ],
      },
    ],
  },
  tgyl: {
    title: 'Promotion and rewards',
    lead: 'Send your invite link to fellow sellers: whoever signs up through it receives 10,000 free characters.',
    parts: [
      {
        title: 'Send an invitation',
        blocks: [
          'The invite card in the overview has your invite code and a message. Choose “Copy the invitation” and send it.',
          {
            screen: {
              alt: 'The invite card: invite code K7QM2D, 12 people invited so far, with the button “Copy the invitation”.',
              title: 'Invite a fellow seller',
              rows: [
                { fact: 'Invite code', value: 'K7QM2D' },
                { fact: 'Invited', value: '12 so far' },
                { button: 'Copy the invitation' },
              ],
            },
          },
          'The link fills in the invite code.',
        ],
      },
      {
        title: 'The rules',
        blocks: [
          {
            list: [
              'New users who sign up through an invite link receive 10,000 free characters.',
              'Once per email address.',
              '“Invited” shows how many people signed up through your link.',
            ],
          },
        ],
      },
    ],
  },
} satisfies Record<string, Section>;
