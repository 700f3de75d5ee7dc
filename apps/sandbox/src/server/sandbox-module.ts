import type { FastifyInstance } from 'fastify';

import type { Bilingual } from './language.js';

/** How a part introduces itself on the first page and in the menu of every page. */
export interface MenuEntry {
  readonly href: string;
  readonly name: Bilingual;
  readonly purpose: Bilingual;
}

/** What the parts know of the site around them. */
export interface Site {
  readonly entries: readonly MenuEntry[];
}

/** One piece of the outside world: the mail, the payment gateways, later the translation vendors. One folder each. */
export interface SandboxModule {
  readonly entry: MenuEntry;
  routes(app: FastifyInstance, site: Site): void;
  start?(): Promise<void>;
  stop?(): Promise<void>;
}
