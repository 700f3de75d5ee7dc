import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isConsoleAddress } from '@yiqiao/contracts/addresses';
import { defineConfig, type Plugin } from 'vite';
import { consoleGate } from './build/console-gate.js';
import { CONDITIONS, librariesAndDelivery, OUTPUT, TREESHAKE } from './build/plugins.js';

/** The entries (docs/decisions/0045), each with its own HTML document, over src/shared. The operator console is a build of its own (vite.operator.config.ts). */
const ENTRIES = { site: 'index.html', console: 'console.html' };

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

// The API serves the built entries from its own origin; in development Vite proxies it (decisions §1).
const api = process.env['API_URL'] ?? 'http://localhost:8080';
const PROXY = { '/client-user': api, '/v1': api, '/openapi.json': api };

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

/** Small modules that both have. The console has copies, because each file of its own would be one more request; a document runs one of the two. */
const COPIED =
  /\/(console\/src\/shared\/(amounts|channel-name|ui\/more-icons|notices\/(notices|active-notices))|domain\/src\/channels)\.tsx?$/;
const copiesForConsole: Plugin = {
  name: 'copies-for-console',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!importer || !/\/src\/console\/|\?console$/.test(importer)) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found && COPIED.test(found.id) ? `${found.id}?console` : found;
  },
};

type Info = { code: string | null; importedIds: readonly string[]; dynamicallyImportedIds: readonly string[] };
type Graph = { getModuleInfo: (id: string) => Info | null };

/** antd's index imports every component: followed are only those that `code` names. */
const ANTD = /\/node_modules\/antd\/es\/index\.js$/;
const kebab = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
const componentsIn = (code: string, index: string): string[] =>
  [...code.matchAll(/import\s*{([^}]+)}\s*from\s*["']antd["']/g)].flatMap(([, names = '']) =>
    names.split(',').map((name) => index.replace('index.js', `${kebab(name.trim().split(' ')[0] ?? '')}/index.js`)),
  );

/** The modules that these import transitively: statically, or with dynamic imports as well. */
function importsOf(roots: readonly string[], graph: Graph, dynamic = false): Set<string> {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    const info = graph.getModuleInfo(id);
    for (const next of info?.importedIds ?? [])
      if (ANTD.test(next)) componentsIn(info?.code ?? '', next).forEach(visit);
      else visit(next);
    if (dynamic) info?.dynamicallyImportedIds.forEach(visit);
  };
  roots.forEach(visit);
  return found;
}

const ENTRY_MODULES = { site: here(ENTRIES.site), console: here(ENTRIES.console) };
/** The console's first page, what it starts with and what it loads by itself, signed-in pages of the site too. */
const FIRST_PAGE = [ENTRY_MODULES.console, here('src/console/pages/overview/overview-page.tsx')];
const SIGNED_IN = ['src/shared/live/live.ts', 'src/shared/notices/watch-notices.ts'].map(here);
const SIGNING = /\/node_modules\/crypto-js\/|^__vite-browser-external$/;
/** What both locales of the console have in common with what comes later. */
const OF_LOCALES =
  /\/node_modules\/(dayjs\/(?!locale)|rc-pagination\/es\/locale\/|(antd|rc-\w+)\/(es|lib)\/(.+\/)?locale\/(?!zh_))/;
/** Small modules of which each public page needs some at most: in `shared` they cost no request of their own. */
const IN_SHARED = /rolldown\/runtime\.js|\/shared\/clipboard\.ts$|\/domain\/src\/plans\.ts$/;
const PAGE = /\/console\/pages\//;

type Sets = Record<'site' | 'siteStart' | 'console' | 'first' | 'live' | 'login', Set<string>>;
let sets: Sets | undefined;
const setsOf = (graph: Graph): Sets =>
  (sets ??= {
    site: importsOf([ENTRY_MODULES.site], graph, true),
    siteStart: importsOf([ENTRY_MODULES.site], graph),
    console: importsOf([ENTRY_MODULES.console], graph, true),
    first: importsOf(FIRST_PAGE, graph),
    live: importsOf(SIGNED_IN, graph),
    login: importsOf([here('src/site/pages/login/login-page.tsx')], graph),
  });

/**
 * The chunk of a module, so that a first page needs few files (docs/decisions/0045): `site` and `console` are what their first pages
 * start with, `shared` what both do; `account` and `live` are what the console has in
 * common with the site's login and with its signed-in pages. Null: the chunk of the page that imports it.
 */
function chunkOf(id: string, graph: Graph): string | null {
  const { site, siteStart, console: all, first, live, login } = setsOf(graph);
  if (SIGNING.test(id)) return 'signing';
  if (IN_SHARED.test(id)) return 'shared';
  const isFirst = first.has(id);
  if (siteStart.has(id)) return all.has(id) ? 'shared' : 'site';
  if (site.has(id)) {
    if (live.has(id) && !isFirst) return 'live';
    if (!isFirst) return null;
    return login.has(id) ? 'account' : 'live';
  }
  if (OF_LOCALES.test(id)) return 'console';
  // The styles of the overview are few: with the others they cost no request.
  if (isFirst) return PAGE.test(id) && !id.endsWith('.css') ? null : 'console';
  return null;
}

/** What several other pages and dialogs of the console import: libraries, and our own. */
const laterChunkOf = (id: string, graph: Graph): string | null => {
  if (setsOf(graph).site.has(id)) return null;
  return id.includes('/node_modules/') ? 'libraries' : 'parts';
};

export default defineConfig({
  plugins: [
    consoleAddresses,
    copiesForConsole,
    ...librariesAndDelivery(consoleGate(readFileSync(here('src/console/page-table.ts'), 'utf8'))),
  ],
  resolve: { conditions: CONDITIONS },
  server: { proxy: PROXY },
  preview: { proxy: PROXY },
  // bundle.spec.ts reads the manifest to check that public pages load neither antd nor Refine.
  build: {
    ...OUTPUT,
    manifest: true,
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(ENTRIES).map(([name, html]) => [name, here(html)])),
      treeshake: TREESHAKE,
      // Limits and lengths in place of their names: the site has what it uses, not what the console exports.
      optimization: { inlineConst: { mode: 'all' } },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { debugName: 'first pages', name: chunkOf, priority: 1 },
            { debugName: 'later', name: laterChunkOf, minShareCount: 2 },
          ],
        },
      },
    },
  },
});
