import type { FastifyInstance } from 'fastify';

import type { Bilingual } from './language.js';

/** A module's entry on the home page and in the menu. */
export interface MenuEntry {
  readonly href: string;
  readonly name: Bilingual;
  readonly purpose: Bilingual;
}

/** The menu entries of all modules, passed to every page. */
export interface Site {
  readonly entries: readonly MenuEntry[];
}

/** One simulated external system: mail, payment gateways, translation vendors. One folder each. */
export interface SandboxModule {
  readonly entry: MenuEntry;
  routes(app: FastifyInstance, site: Site): void;
  start?(): Promise<void>;
  stop?(): Promise<void>;
}
