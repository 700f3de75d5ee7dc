/**
 * The program that draws public pages: `dist-server/render.js`. The build runs it over all of them, and the api again when what they show
 * has changed (docs/decisions/0026). Texts, like much else, are there in one language only: each language has an instance of the whole
 * file, told apart by the query of its address.
 */
import type { Language } from '@yiqiao/contracts/envelope';
import type { Drawing } from './draw.js';

export { defaultSite } from '@yiqiao/contracts/default-site';
export { addresses } from './addresses.js';
export { draw } from './draw.js';

type Instance = { draw: (drawing: Drawing) => Promise<string> };

const [self = ''] = import.meta.url.split('?', 1);

export async function render({ language, ...drawing }: Drawing & { language: Language }): Promise<string> {
  const { draw } = (await import(/* @vite-ignore */ `${self}?language=${language}`)) as Instance;
  return draw(drawing);
}
