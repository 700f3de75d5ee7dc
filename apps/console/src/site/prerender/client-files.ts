/** What the build made for browsers, as its manifest says; put in by vite.render.config.ts. */
type Chunk = { file: string; src?: string; imports?: string[]; css?: string[] };
declare const CLIENT: { readonly template: string; readonly manifest: Readonly<Record<string, Chunk>> };

/** The entry's own document, from which every page is made. */
export const template = CLIENT.template;

const chunk = (name: string): Chunk => {
  const found = CLIENT.manifest[name];
  if (!found) throw new Error(`the manifest has no ${name}`);
  return found;
};

/** The address of a source as browsers fetch it, e.g. of a font. */
export const fileOf = (source: string): string => `/${chunk(source).file}`;

/** Scripts and styles that these chunks need beside those of the entry's document, each once. */
export function filesFor(names: readonly string[]): { scripts: string[]; styles: string[] } {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const visited = new Set<string>();
  const visit = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    const { file, imports = [], css = [] } = chunk(name);
    imports.forEach(visit);
    scripts.add(`/${file}`);
    css.forEach((sheet) => styles.add(`/${sheet}`));
  };
  names.forEach(visit);
  const isMissing = (file: string): boolean => !template.includes(`"${file}"`);
  return { scripts: [...scripts].filter(isMissing), styles: [...styles].filter(isMissing) };
}

/** Names of everything that was built. */
export const sources: readonly string[] = Object.keys(CLIENT.manifest);
