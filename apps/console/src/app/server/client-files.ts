/** What the build made for browsers, as its manifest says; put in by vite.render.config.ts. */
type Chunk = { file: string; src?: string; imports?: string[]; css?: string[] };
declare const CLIENT: { readonly template: string; readonly manifest: Readonly<Record<string, Chunk>> };

/** The console's page, from which every other one is made. */
export const template = CLIENT.template;

const chunk = (name: string): Chunk => {
  const found = CLIENT.manifest[name];
  if (!found) throw new Error(`the manifest has no ${name}`);
  return found;
};

/** The address of a source as browsers fetch it, e.g. of a font. */
export const fileOf = (source: string): string => `/${chunk(source).file}`;

/** Scripts and styles that these chunks need beside those of `index.html`, each once. */
export function filesFor(names: readonly string[]): { scripts: string[]; styles: string[] } {
  const files = { scripts: new Set<string>(), styles: new Set<string>() };
  const visited = new Set<string>();
  const visit = (name: string, into: typeof files): void => {
    if (visited.has(name)) return;
    visited.add(name);
    const { file, imports = [], css = [] } = chunk(name);
    imports.forEach((other) => visit(other, into));
    into.scripts.add(`/${file}`);
    css.forEach((sheet) => into.styles.add(`/${sheet}`));
  };
  visit('index.html', { scripts: new Set(), styles: new Set() });
  names.forEach((name) => visit(name, files));
  return { scripts: [...files.scripts], styles: [...files.styles] };
}

/** Names of everything that was built. */
export const sources: readonly string[] = Object.keys(CLIENT.manifest);
