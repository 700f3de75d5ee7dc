/** What libraries import and the console never runs: 24 kB of the console's first page (docs/performance.md). */
import type { Plugin } from 'vite';

/** By the name of the import. */
const STUBS: Readonly<Record<string, string>> = {
  // simple-rest makes an instance for those who give it no client: src/shared/refine/rest.ts does.
  axios: 'export default { create: () => ({ interceptors: { response: { use: () => undefined } } }) };',
  // qs finds cycles with it; this is the part that it calls, on a WeakMap.
  'side-channel':
    'module.exports = () => { const kept = new WeakMap(); return { get: (key) => kept.get(key), set: (key, value) => void kept.set(key, value), has: (key) => kept.has(key) }; };',
};
const MARK = '\0left-out:';

export const leftOut = (): Plugin => ({
  name: 'left-out',
  enforce: 'pre',
  resolveId: (id, importer) => (importer && Object.hasOwn(STUBS, id) ? MARK + id : null),
  load: (id) => (id.startsWith(MARK) ? (STUBS[id.slice(MARK.length)] ?? null) : null),
});
