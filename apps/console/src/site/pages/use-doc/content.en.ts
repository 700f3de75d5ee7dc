import type { Doc } from '../../shared/doc/doc.js';

const content: Doc = {
  lead: 'From signing up to your first translation, in three parts.',
  parts: [
    {
      title: 'Registration',
      blocks: [
        {
          steps: [
            'Open the sign-up page and enter your email. Sign-up is by email only; any email provider works.',
            'Choose “Send code” and check your email. If the code is not there, check the spam folder; after 60 seconds you can send another.',
            'Choose a username of 2–32 letters, digits or Chinese characters, and a password of 6–32 characters.',
            'Read the user agreement to the end, check the box, and finish.',
          ],
        },
        { shot: 'register', alt: 'The sign-up page: email, code, username, password and the user agreement.' },
        { note: 'New accounts have a free trial of 1 month. An invite link adds 10,000 free characters.' },
        { to: '/login?type=2', text: 'Sign up' },
      ],
    },
    {
      title: 'Operation',
      blocks: [
        {
          steps: [
            'Sign in with your username or email to enter the member center.',
            'The overview shows what is left and your translation channel; a main account can change it.',
            'In the translation test, choose the languages, enter a text and translate. Voice and images have a tab each.',
            'When quota runs short, a main account chooses a package under “Recharge”; a sub-account asks its main account.',
            'The account log says where quota came from and where it went; the translation log says which channel each translation used and what it cost.',
          ],
        },
        {
          shot: 'overview',
          alt: 'The overview: the remaining quota, the translation channel, and the usage of the last 30 days.',
        },
        'To translate inside chat apps, download the client: add an app, set two languages for a contact, and what you send and receive is translated both ways.',
        { to: '/download', text: 'Open the download page' },
      ],
    },
    {
      title: 'Translation capture',
      blocks: [
        'The source above, the translation below, a line between them. What you send, in the other person’s language:',
        {
          source: '您要的颜色有货，今天就能发出。',
          translation: 'The color you want is in stock and ships today.',
          languages: ['zh-CN', 'en'],
        },
        'What you receive, in yours:',
        {
          source: '¿Cuánto tarda el envío a México?',
          translation: 'How long is shipping to Mexico?',
          languages: ['es', 'en'],
        },
        'The translation test shows the result first; the channel and the cost are below it:',
        {
          shot: 'translation',
          alt: 'The translation test: the source on the left, its translation on the right, the history of the session below.',
        },
        'Text in pictures works too: choose “Image” in the translation test. The translation is written where the text stood, and you can compare it with the original.',
        {
          note: 'Translations are made by machines. Have contracts and legal or medical texts checked by a professional.',
        },
        { to: '/productDesc', text: 'Everything in detail: the product tutorial' },
      ],
    },
  ],
};
export default content;
