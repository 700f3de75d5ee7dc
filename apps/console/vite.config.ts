import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { delivery } from './build/delivery.js';

/** The entries (docs/decisions/0045), each with its own HTML document, over src/shared. A third, the operator console, will be a line here, its HTML and src/operator/. */
const ENTRIES = { site: 'index.html', console: 'console.html' };

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

// The API serves the built entries from its own origin; in development Vite proxies it (decisions §1).
const api = process.env['API_URL'] ?? 'http://localhost:8080';

// Packages without a `sideEffects` field that have none: their unused parts (Refine's markdown field, its CSV) are dropped.
const SIDE_EFFECT_FREE =
  /node_modules\/(react-markdown|remark-gfm|sunflower-antd|papaparse|error-stack-parser|pluralize)\//;

/** In development: the document that the API would send for an address. */
const consoleAddresses: Plugin = {
  name: 'console-addresses',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      if (isConsoleAddress(request.url?.split('?', 1)[0] ?? '')) request.url = `/${ENTRIES.console}`;
      next();
    });
  },
};

/** antd's icons are decoration, but carry English names like "loading" or "close-circle" into every language. */
const unnamedIcons: Plugin = {
  name: 'unnamed-icons',
  transform: {
    filter: { id: /@ant-design\/icons\/es\/components\/AntdIcon\.js/ },
    handler(code) {
      if (!code.includes(ICON_NAME)) throw new Error(`AntdIcon.js has no ${ICON_NAME}`);
      return { code: code.replace(ICON_NAME, '"aria-hidden": true'), map: null };
    },
  },
};
const ICON_NAME = '"aria-label": icon.name';

/** Packages that the browsers of the build target need no more, and what replaces them. */
const REPLACED: readonly (readonly [id: RegExp, code: string])[] = [
  [/\/resize-observer-polyfill\/dist\/ResizeObserver\.es\.js$/, 'export default ResizeObserver;'],
  // qs, which Refine imports, prints a key with it in an error that says that qs has a bug.
  [/\/object-inspect\/index\.js$/, 'module.exports = String;'],
];
const replacedPackages: Plugin = {
  name: 'replaced-packages',
  load: {
    filter: { id: REPLACED.map(([id]) => id) },
    handler: (id) => REPLACED.find(([pattern]) => pattern.test(id))?.[1],
  },
};

type Info = { importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] };
type Graph = { getModuleInfo: (id: string) => Info | null };

/** The modules that an entry imports transitively: statically, or with dynamic imports as well. */
function importsOf(html: string, graph: Graph, dynamic: boolean): Set<string> {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    const info = graph.getModuleInfo(id);
    info?.importedIds.forEach(visit);
    if (dynamic) info?.dynamicallyImportedIds.forEach(visit);
  };
  visit(here(html));
  return found;
}

type ChunkName = (id: string, graph: Graph) => string | null;

/** Which entries import a module: all of them that do, and the first that does so statically. */
function entriesOf(): (id: string, graph: Graph) => { users: string[]; initial: string | undefined } {
  let entries: { name: string; initial: Set<string>; all: Set<string> }[] | undefined;
  return (id, graph) => {
    entries ??= Object.entries(ENTRIES).map(([name, html]) => ({
      name,
      initial: importsOf(html, graph, false),
      all: importsOf(html, graph, true),
    }));
    return {
      users: entries.filter(({ all }) => all.has(id)).map(({ name }) => name),
      initial: entries.find(({ initial }) => initial.has(id))?.name,
    };
  };
}
const usedBy = entriesOf();

/**
 * The static imports of an entry are bundled into one chunk instead of forty: they compress better together and need fewer requests. Modules
 * that several entries use go into a chunk `shared`, so that no entry loads another's, unless the site needs them only later.
 */
const entryChunk: ChunkName = (id, graph) => {
  const { users, initial } = usedBy(id, graph);
  if (!initial || users.length === 1) return initial ?? null;
  return initial === 'site' ? 'shared' : null;
};

/**
 * What several pages and dialogs of the console import, in two chunks: libraries, and our own. Neither is needed by what it needs, so that
 * modules still start in their order.
 */
const consoleChunk: ChunkName = (id, graph) => {
  if (usedBy(id, graph).users.join() !== 'console') return null;
  return id.includes('/node_modules/') ? 'libraries' : 'parts';
};

export default defineConfig({
  plugins: [react(), unnamedIcons, replacedPackages, consoleAddresses, ...delivery()],
  resolve: { conditions: ['@yiqiao/source', ...defaultClientConditions] },
  server: { proxy: { '/client-user': api } },
  preview: { proxy: { '/client-user': api } },
  // bundle.spec.ts reads the manifest to check that public pages load neither antd nor Refine.
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false }, // browsers without modulepreload fetch the same files a moment later
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(ENTRIES).map(([name, html]) => [name, here(html)])),
      treeshake: { moduleSideEffects: [{ test: SIDE_EFFECT_FREE, sideEffects: false }] },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { debugName: 'entries', name: entryChunk, priority: 1 },
            { debugName: 'console', name: consoleChunk, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
