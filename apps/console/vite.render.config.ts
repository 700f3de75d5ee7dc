import { hash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { defaultSite } from '@yiqiao/contracts/default-site';
import { defineConfig, type Plugin } from 'vite';
import client from './vite.config.js';

/** Output of the client build, which runs first. */
const clientDir = path.resolve(import.meta.dirname, process.env['CLIENT_DIR'] ?? 'dist');

/** Placeholder for the site's public URL, which is known only at run time: the API replaces it. */
const PLACEHOLDER_URL = 'https://site.invalid';
const LANGUAGES = ['zh', 'en'] as const;

const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** The data of a new database that pages are prerendered with: in production, and in a trial with sample data. */
const DATA_SETS = [
  { folder: '.', production: true },
  { folder: 'trial', production: false },
];

type Renderer = {
  defaultSite: typeof defaultSite;
  addresses: readonly { address: string; listed: boolean }[];
  render: (request: { address: string; language: string; data: object; publicUrl: string }) => Promise<string>;
};

const nameOf = (address: string): string => address.slice(1).replaceAll(/[^\w-]+/g, '-');

/** Prerenders every public page in every language; an error fails the build. */
const prerender: Plugin = {
  name: 'prerender',
  async writeBundle({ dir = '' }) {
    const { addresses, defaultSite, render } = (await import(
      pathToFileURL(path.join(dir, 'render.js')).href
    )) as Renderer;
    const pages = addresses.flatMap((page) =>
      LANGUAGES.map((language) => ({ ...page, language, file: `pages/${nameOf(page.address)}.${language}.html` })),
    );
    const dataSets = DATA_SETS.map(({ folder, production }) => ({ folder, data: defaultSite({ production, sha256 }) }));
    for (const { folder, data } of dataSets) {
      await mkdir(path.join(dir, folder, 'pages'), { recursive: true });
      for (const { address, language, file } of pages)
        await writeFile(
          path.join(dir, folder, file),
          await render({ address, language, data, publicUrl: PLACEHOLDER_URL }),
        );
    }
    await writeFile(
      path.join(dir, 'pages.json'),
      JSON.stringify({ publicUrl: PLACEHOLDER_URL, drawn: dataSets, pages }),
    );
  },
};

/** Injects the client build's index.html and manifest. */
const builtClient: Plugin = {
  name: 'built-client',
  async config() {
    const [template, manifest] = await Promise.all(
      ['index.html', '.vite/manifest.json'].map((name) => readFile(path.join(clientDir, name), 'utf8')),
    );
    return { define: { CLIENT: `{"template":${JSON.stringify(template)},"manifest":${manifest ?? ''}}` } };
  },
};

/** Builds `dist-server`, which is not served statically: the page renderer and the prerendered pages (docs/decisions/0026). */
export default defineConfig({
  plugins: [...(client.plugins ?? []), builtClient, prerender],
  resolve: { conditions: ['@yiqiao/source', 'module', 'node', 'production'] },
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  // A single file: the language is a query of its URL, which would not reach imported chunks.
  ssr: { noExternal: true, resolve: { conditions: ['@yiqiao/source', 'module', 'node', 'production'] } },
  build: {
    ssr: 'src/site/prerender/render.ts',
    outDir: 'dist-server',
    emptyOutDir: true,
    target: 'node24',
    rolldownOptions: { output: { entryFileNames: 'render.js', codeSplitting: false } },
  },
});
