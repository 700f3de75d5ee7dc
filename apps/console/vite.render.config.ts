import { hash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { defaultSite } from '@yiqiao/contracts/default-site';
import { defineConfig, type Plugin } from 'vite';
import client from './vite.config.js';

/** The build for browsers, which comes first. */
const clientDir = path.resolve(import.meta.dirname, process.env['CLIENT_DIR'] ?? 'dist');

/** Stands for the address of the site, which only whoever runs it knows: the api puts its own there. */
const SOMEWHERE = 'https://site.invalid';
const LANGUAGES = ['zh', 'en'] as const;

const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** What the site shows with a new database: in production, which may be shown to anybody, and where it is tried out, with samples. */
const MOMENTS = [
  { folder: '.', production: true },
  { folder: 'trial', production: false },
];

type Program = {
  defaultSite: typeof defaultSite;
  addresses: readonly { address: string; listed: boolean }[];
  render: (drawing: { address: string; language: string; data: object; publicUrl: string }) => Promise<string>;
};

const nameOf = (address: string): string => address.slice(1).replaceAll(/[^\w-]+/g, '-');

/** Every public page in every language: a page that cannot be drawn fails the build. */
const prerender: Plugin = {
  name: 'prerender',
  async writeBundle({ dir = '' }) {
    const { addresses, defaultSite, render } = (await import(
      pathToFileURL(path.join(dir, 'render.js')).href
    )) as Program;
    const pages = addresses.flatMap((page) =>
      LANGUAGES.map((language) => ({ ...page, language, file: `pages/${nameOf(page.address)}.${language}.html` })),
    );
    const drawn = MOMENTS.map(({ folder, production }) => ({ folder, data: defaultSite({ production, sha256 }) }));
    for (const { folder, data } of drawn) {
      await mkdir(path.join(dir, folder, 'pages'), { recursive: true });
      for (const { address, language, file } of pages)
        await writeFile(path.join(dir, folder, file), await render({ address, language, data, publicUrl: SOMEWHERE }));
    }
    await writeFile(path.join(dir, 'pages.json'), JSON.stringify({ publicUrl: SOMEWHERE, drawn, pages }));
  },
};

/** What the build for browsers has made: the page around all pages, and which files each part of it needs. */
const builtClient: Plugin = {
  name: 'built-client',
  async config() {
    const [template, manifest] = await Promise.all(
      ['index.html', '.vite/manifest.json'].map((name) => readFile(path.join(clientDir, name), 'utf8')),
    );
    return { define: { CLIENT: `{"template":${JSON.stringify(template)},"manifest":${manifest ?? ''}}` } };
  },
};

/** `dist-server`, outside of what is served as it lies: the program that draws public pages, and what it drew (docs/decisions/0026). */
export default defineConfig({
  plugins: [...(client.plugins ?? []), builtClient, prerender],
  resolve: { conditions: ['source', 'module', 'node', 'production'] },
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  // One file without neighbours: a language is a query of its address, which reaches nothing that it would import.
  ssr: { noExternal: true, resolve: { conditions: ['source', 'module', 'node', 'production'] } },
  build: {
    ssr: 'src/site/prerender/render.ts',
    outDir: 'dist-server',
    emptyOutDir: true,
    target: 'node24',
    rolldownOptions: { output: { entryFileNames: 'render.js', codeSplitting: false } },
  },
});
