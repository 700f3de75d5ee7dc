import type { Section } from './tree.js';

export const beginners = {
  cpjc: {
    title: 'Product tutorial',
    lead: 'Text, voice and images, translated inside chat apps. This tutorial covers everything from signing up to each function: read it in order, or go straight to what you need.',
    parts: [
      {
        title: 'Two places to know',
        blocks: [
          {
            list: [
              'The official console: account, recharge, sub-accounts and logs, and a place to try translation. It runs in the browser; nothing to install.',
              'The client: it runs on your computer and translates both ways while you chat in more than 20 apps, with as many instances of each as you like.',
            ],
          },
          'Both use the same account and the same quota.',
        ],
      },
      {
        title: 'Begin in three steps',
        blocks: [
          {
            steps: [
              'Sign up with your email. New accounts have a free trial of 1 month.',
              'Try a sentence in “Translation test” and see which channel suits your languages.',
              'Download the client, add an app, set a contact’s language, and start talking.',
            ],
          },
          {
            source: '这款现货，今天可以发。',
            translation: 'It is in stock and can ship today.',
            languages: ['zh-CN', 'en'],
          },
          { to: '/login?type=2', text: 'Sign up' },
        ],
      },
    ],
  },
  xsbk: {
    title: 'Must-read for beginners',
    lead: 'Two addresses to keep, and the rules for signing up and in.',
    parts: [
      {
        title: 'Official addresses',
        blocks: [
          'Visit and download from these addresses only. When a stranger sends you a link or an account name, check it first with “Verify an account” on the contact page.',
          { addresses: ['Official website', 'Download address'] },
        ],
      },
      {
        title: 'Signing up',
        blocks: [
          {
            steps: [
              'You sign up by email; any email provider works.',
              'Send the code and check your email. After 60 seconds you can send another.',
              'Username: 2–32 letters, digits or Chinese characters. Password: 6–32 characters.',
            ],
          },
          { warning: 'No code? Check the spam folder first.' },
        ],
      },
      {
        title: 'Signing in',
        blocks: [
          'Sign in with your username or your email. If you forgot the password, choose “Forgot password”: your email is verified and you set a new one.',
          {
            note: 'Sub-accounts are created by a main account and have no email. Sign in with the account that you were given; if you forget the password, ask the main account to reset it.',
          },
        ],
      },
    ],
  },
  xzaz: {
    title: 'Download & installation',
    lead: 'Get the client from this site’s download page. The console needs no installation.',
    parts: [
      {
        title: 'Download',
        blocks: [
          'Open the download page and get the version for your system. Where one system has several packages, “Choose a version” lists them in a dialog.',
          { to: '/download', text: 'Open the download page' },
        ],
      },
      {
        title: 'Install',
        blocks: [
          'Run the package and follow its steps. When your system asks whether you trust it, make sure first that the file came from the official download address.',
          { warning: 'Do not install packages that somebody forwarded to you.' },
        ],
      },
      {
        title: 'Sign in to the client',
        blocks: ['Use the username or email and the password of this site. The quota is the same as in the console.'],
      },
    ],
  },
  zcdl: {
    title: 'Sign-up & sign-in',
    lead: 'One email, one account, for the site and the client.',
    parts: [
      {
        title: 'Create an account',
        blocks: [
          {
            steps: [
              'Open the sign-up page, enter your email and send the code.',
              'Enter the code, a username and a password.',
              'Read the user agreement to the end, check the box and sign up.',
            ],
          },
          { note: 'Signing up through an invite link adds 10,000 free characters.' },
        ],
      },
      {
        title: 'Sign in, or get back in',
        blocks: [
          'Sign in with your username or your email. A forgotten password takes three steps: verify the account, set a new password, done.',
          { to: '/login?type=1', text: 'Sign in' },
        ],
      },
    ],
  },
} satisfies Record<string, Section>;
