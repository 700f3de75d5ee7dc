import type zh from './texts.zh.js';

export default { title: 'Coming with the next version' } satisfies Record<keyof typeof zh, string>;
