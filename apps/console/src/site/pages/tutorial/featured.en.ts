import type { Section } from './tree.js';

export const featured = {
  znai: {
    title: 'Smart AI',
    lead: 'ChatGPT is one of the translation channels, and AI reply helps in the chat.',
    parts: [
      {
        title: 'Translate with AI',
        blocks: [
          'For casual speech, slang and long sentences, try the ChatGPT channel. Put it beside others in the translation test: you see the translations and what each costs.',
          {
            source: '这个价真的不能再低了，给您包邮吧。',
            translation: 'I can’t go any lower, but I’ll cover the shipping.',
            languages: ['zh-CN', 'en'],
          },
        ],
      },
      {
        title: 'Check before you use it',
        blocks: [
          { warning: 'Machines make mistakes. Check numbers, dates and promises before you send them.' },
          { to: '/productDesc/aihf', text: 'About AI reply' },
        ],
      },
    ],
  },
  tpfy: {
    title: 'Image translation',
    lead: 'The text in a picture is recognized and replaced in place by its translation.',
    parts: [
      {
        title: 'Try it in the console',
        blocks: [
          {
            steps: [
              'Open the translation test and choose “Image”.',
              'Choose a picture or drop one, set the target language, and translate.',
              'Compare the original and the translation.',
            ],
          },
          { note: 'Each picture costs one image. A picture without any text costs nothing.' },
          { to: '/UserCenterChangeTranslateTest', text: 'Try an image' },
        ],
      },
      {
        title: 'Take a clear picture',
        blocks: [
          'Straight on, in even light, with text that is not too small. Labels, manuals and chat screenshots all work.',
        ],
      },
    ],
  },
  khzx: {
    title: 'Customer center',
    lead: 'The customer center is in the client and brings customers of different apps together.',
    parts: [
      {
        title: 'What it is good for',
        blocks: [
          {
            list: [
              'Sorting customers by country and language.',
              'Together with contact notes: remembering how far you got.',
              'Setting the language of each contact, so that you speak theirs from the first word.',
            ],
          },
          { to: '/productDesc/fsbz', text: 'About contact notes' },
        ],
      },
      {
        title: 'Working as a team',
        blocks: [
          'Create a sub-account for each colleague: the main account distributes the quota, and usage is counted separately.',
          { to: '/productDesc/zzhgl', text: 'About sub-accounts' },
        ],
      },
    ],
  },
  xssz: {
    title: 'Display settings',
    lead: 'You decide how translations are shown.',
    parts: [
      {
        title: 'Source and translation',
        blocks: [
          'The source above, the translation below it: easy to compare and to check.',
          { source: 'When can you ship?', translation: '什么时候能发货？', languages: ['en', 'zh-CN'] },
        ],
      },
      {
        title: 'Language and look of this site',
        blocks: [
          'Switch between Chinese and English at the top right; the choice is remembered. Light and dark follow your system unless you choose one yourself.',
        ],
      },
    ],
  },
} satisfies Record<string, Section>;
