/**
 * The renderer of the public pages, built to `dist-server/render.js`. The build renders every page with it, and the API renders them again
 * when their data changes (docs/decisions/0026). Messages and other modules exist in one language only, so each language gets its own
 * instance of this module, distinguished by the query of its URL.
 */
import type { Language } from '@yiqiao/contracts/envelope';
import type { PageRequest } from './document.js';

export { defaultSite } from '@yiqiao/contracts/default-site';
export { renderDocument } from './document.js';
export { addresses } from './head.js';

type Instance = { renderDocument: (request: PageRequest) => Promise<string> };

const [self = ''] = import.meta.url.split('?', 1);

export async function render({ language, ...request }: PageRequest & { language: Language }): Promise<string> {
  const { renderDocument } = (await import(/* @vite-ignore */ `${self}?language=${language}`)) as Instance;
  return renderDocument(request);
}
