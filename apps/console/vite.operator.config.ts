import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { CONDITIONS, librariesAndDelivery, OUTPUT, TREESHAKE } from './build/plugins.js';

const operators = process.env['OPERATORS_URL'] ?? 'http://localhost:8082';

/** The operator console, a build of its own, so that nothing of it reaches the members' files (docs/decisions/0053). */
export default defineConfig({
  plugins: librariesAndDelivery(),
  publicDir: false, // the members' files
  resolve: { conditions: CONDITIONS },
  // The API takes writes from its own origin alone: the host that the browser asked is passed on.
  server: { proxy: { '/operator-api': { target: operators, changeOrigin: false } } },
  build: {
    ...OUTPUT,
    outDir: 'dist-operator',
    rolldownOptions: {
      input: fileURLToPath(new URL('operator.html', import.meta.url)),
      treeshake: TREESHAKE,
    },
  },
});
