import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { defaultClientConditions, defineConfig, type Plugin } from 'vite';
import { delivery } from './build/delivery.js';

/**
 * The entries (docs/decisions/0045): each a document of its own with its own program, over src/shared. The operator console will be the third:
 * a line here, its HTML, and src/operator/.
 */
const ENTRIES = { site: 'index.html', console: 'console.html' };

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

// The API serves the built entries from its own origin; while developing, Vite stands in front of it (decisions §1).
const api = process.env['API_URL'] ?? 'http://localhost:8080';

// These say nothing about side effects and have none worth keeping: what nobody uses of them (Refine's markdown field, its CSV) is left out.
const UNUSED_IS_LEFT_OUT =
  /node_modules\/(react-markdown|remark-gfm|sunflower-antd|papaparse|error-stack-parser|pluralize)\//;

/** While developing: the same document for an address that the API would send. */
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

/** What an entry imports, itself or through others: at once, or with what it imports later as well. */
function importsOf(html: string, graph: Graph, later: boolean): Set<string> {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    const info = graph.getModuleInfo(id);
    info?.importedIds.forEach(visit);
    if (later) info?.dynamicallyImportedIds.forEach(visit);
  };
  visit(here(html));
  return found;
}

/**
 * What every page of an entry needs comes in one file and not in forty: they compress better together, and slow lines ask for each by itself.
 * What another entry needs too lies in one more file, so that no entry loads the file of another.
 */
function chunkOfEntry(): (id: string, graph: Graph) => string | null {
  let entries: { name: string; atOnce: Set<string>; ever: Set<string> }[] | undefined;
  return (id, graph) => {
    entries ??= Object.entries(ENTRIES).map(([name, html]) => ({
      name,
      atOnce: importsOf(html, graph, false),
      ever: importsOf(html, graph, true),
    }));
    const [first] = entries.filter(({ atOnce }) => atOnce.has(id));
    if (!first) return null;
    return entries.filter(({ ever }) => ever.has(id)).length > 1 ? 'shared' : first.name;
  };
}

export default defineConfig({
  plugins: [react(), consoleAddresses, ...delivery()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  server: { proxy: { '/client-user': api } },
  preview: { proxy: { '/client-user': api } },
  // The manifest is what bundle.spec.ts reads to prove that public pages load neither antd nor Refine.
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false }, // a browser without it fetches the same files a moment later
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(ENTRIES).map(([name, html]) => [name, here(html)])),
      treeshake: { moduleSideEffects: [{ test: UNUSED_IS_LEFT_OUT, sideEffects: false }] },
      output: {
        codeSplitting: {
          groups: [{ debugName: 'entries', name: chunkOfEntry(), includeDependenciesRecursively: false }],
        },
      },
    },
  },
});
