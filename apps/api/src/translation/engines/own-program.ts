/** Our own programs, which Node runs in separate processes. */
const isSource = import.meta.filename.endsWith('.ts');

/** From sources (in tests) Node strips the types itself; only our `.js` specifiers must be resolved to `.ts`. */
const AS_SOURCE = `import { registerHooks } from 'node:module';
registerHooks({ resolve: (name, context, next) =>
  next(/^[.]/.test(name) && !context.parentURL?.includes('/node_modules/') ? name.replace(/[.]js$/, '.ts') : name, context) });`;
const FLAGS = isSource ? ['--import', `data:text/javascript,${encodeURIComponent(AS_SOURCE)}`] : [];

/** Node's arguments for a program. `at`: its path in this folder, without extension. */
export const ownProgram = (at: string): string[] => [
  '--no-warnings',
  ...FLAGS,
  `${import.meta.dirname}/${at}.${isSource ? 'ts' : 'js'}`,
];
