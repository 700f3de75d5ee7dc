/** Puts src/console/gate.ts into console.html, with the names of the files that it loads (docs/decisions/0054). */
import { fileURLToPath } from 'node:url';
import { build, defaultClientConditions, type Plugin, type Rollup } from 'vite';

type Bundle = Readonly<Record<string, Rollup.OutputChunk | Rollup.OutputAsset>>;

const GATE = fileURLToPath(new URL('../src/console/gate.ts', import.meta.url));
/** The page table of the console: addresses and modules. */
const ROW = /path: '(\/\w+)'.*import\('\.\/(pages\/[\w/-]+)\.js'\)/g;

/** The chunks of these modules with all that they import, and their styles. */
function filesOf(bundle: Bundle, ...modules: string[]): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    const chunk = bundle[file];
    if (seen.has(file) || chunk?.type !== 'chunk') return;
    seen.add(file);
    chunk.imports.forEach(visit);
    chunk.viteMetadata?.importedCss.forEach((css) => found.add(css));
    // An entry without modules of its own only imports another chunk.
    if (Object.keys(chunk.modules).length > 0) found.add(file);
  };
  for (const name of modules) {
    const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.facadeModuleId?.endsWith(name));
    if (!chunk) throw new Error(`console.html loads ${name}, which is no chunk`);
    visit(chunk.fileName);
  }
  return [...found].sort((a, b) => Number(b.endsWith('.css')) - Number(a.endsWith('.css')));
}

async function gateWith(files: object): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@yiqiao/source', ...defaultClientConditions] },
    define: { CONSOLE_FILES: JSON.stringify(files) },
    build: { write: false, target: 'es2022', lib: { entry: GATE, formats: ['iife'], name: 'gate' } },
  });
  const [output] = [built].flat();
  if (!output || !('output' in output)) throw new Error('the gate was not built');
  return output.output[0].code.trim();
}

export const consoleGate = (pageTable: string): Plugin => ({
  name: 'console-gate',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    async handler(html, { bundle, filename }) {
      if (!bundle || !filename.endsWith('console.html')) return html;
      const files: string[] = [];
      const placesOf = (name: string): number[] =>
        filesOf(bundle, name).map((file) => (files.includes(file) ? files.indexOf(file) : files.push(file) - 1));
      const all = placesOf('/console.html');
      const isNew = (place: number): boolean => !all.includes(place);
      const pages = [...pageTable.matchAll(ROW)].map(([, path = '', page = '']) => [
        path,
        placesOf(`/${page}.tsx`).filter(isNew),
      ]);
      const [zh, en] = ['zh', 'en'].map((language) => placesOf(`/console/locale.${language}.ts`).filter(isNew));
      const known = { all, zh, en, pages: Object.fromEntries(pages) as Record<string, number[]> };
      const urls = files.map((file) => `/${file}`);
      const gate = await gateWith({ ...known, files: urls, entry: urls[all.length - 1] });
      if (gate.includes('</script')) throw new Error('the gate would end its own element');
      return html
        .replace(/\s*<script type="module"[^>]*><\/script>/g, '')
        .replace(/\s*<link rel="(stylesheet|modulepreload)"[^>]*>/g, '')
        .replace('</head>', () => `<script>${gate}</script>\n  </head>`);
    },
  },
});
