/** A program of ours that Node runs in a process of its own. */
const isSource = import.meta.filename.endsWith('.ts');

/** Run from its sources (the tests do that) Node leaves out the types itself, and only has to be told that a `.js` of ours is a `.ts`. */
const AS_SOURCE = `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) =>
  next(/^[.]/.test(name) && !context.parentURL?.includes('/node_modules/') ? name.replace(/[.]js$/, '.ts') : name, context) });`;
const FLAGS = isSource ? ['--import', `data:text/javascript,${encodeURIComponent(AS_SOURCE)}`] : [];

/** The arguments with which Node runs it. `at`: its path in this folder, without an ending. */
export const ownProgram = (at: string): string[] => [
  '--no-warnings',
  ...FLAGS,
  `${import.meta.dirname}/${at}.${isSource ? 'ts' : 'js'}`,
];
