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

/**
 * The static imports of an entry are bundled into one chunk instead of forty: they compress better together and need fewer requests. Modules
 * that several entries use go into a chunk `shared`, so that no entry loads another's.
 */
function chunkOfEntry(): (id: string, graph: Graph) => string | null {
  let entries: { name: string; initial: Set<string>; all: Set<string> }[] | undefined;
  return (id, graph) => {
    entries ??= Object.entries(ENTRIES).map(([name, html]) => ({
      name,
      initial: importsOf(html, graph, false),
      all: importsOf(html, graph, true),
    }));
    const [first] = entries.filter(({ initial }) => initial.has(id));
    if (!first) return null;
    return entries.filter(({ all }) => all.has(id)).length > 1 ? 'shared' : first.name;
  };
}

export default defineConfig({
  plugins: [react(), consoleAddresses, ...delivery()],
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
          groups: [{ debugName: 'entries', name: chunkOfEntry(), includeDependenciesRecursively: false }],
        },
      },
    },
  },
});
