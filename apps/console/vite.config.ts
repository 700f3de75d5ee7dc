import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { delivery } from './build/delivery.js';

// The API serves the built site from its own origin; while developing, Vite stands in front of it (decisions §1).
const api = process.env['API_URL'] ?? 'http://localhost:8080';

// These say nothing about side effects and have none worth keeping: what nobody uses of them (Refine's markdown field, its CSV) is left out.
const UNUSED_IS_LEFT_OUT =
  /node_modules\/(react-markdown|remark-gfm|sunflower-antd|papaparse|error-stack-parser|pluralize)\//;

const ENTRY = fileURLToPath(new URL('./src/main.tsx', import.meta.url));
type Graph = { getModuleInfo: (id: string) => { importers: readonly string[] } | null };

/** What every page needs comes in one file and not in forty: they pack better together, and slow lines ask for each by itself. */
function onEveryPage(): (id: string, graph: Graph) => string | null {
  const known = new Map<string, boolean>([[ENTRY, true]]);
  const isNeeded = (id: string, graph: Graph): boolean => {
    const said = known.get(id);
    if (said !== undefined) return said;
    known.set(id, false); // while it is asked, so that circles end
    const needed = graph.getModuleInfo(id)?.importers.some((importer) => isNeeded(importer, graph)) ?? false;
    known.set(id, needed);
    return needed;
  };
  return (id, graph) => (isNeeded(id, graph) ? 'site' : null);
}

export default defineConfig({
  plugins: [react(), ...delivery()],
  resolve: { conditions: ['source', ...defaultClientConditions] },
  server: { proxy: { '/client-user': api } },
  preview: { proxy: { '/client-user': api } },
  // The manifest is what bundle.spec.ts reads to prove that public pages load neither antd nor Refine.
  build: {
    target: 'es2022',
    manifest: true,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      treeshake: { moduleSideEffects: [{ test: UNUSED_IS_LEFT_OUT, sideEffects: false }] },
      output: { codeSplitting: { groups: [{ name: onEveryPage() }] } },
    },
  },
});
