import type { Screen } from './screen.js';

/** What documents are made of: tutorial and usage document say the same kinds of things. */
export type Block =
  | string
  | { list: readonly string[] }
  | { note: string }
  | { warning: string }
  /** A sentence and its translation, on both sides of the waterline. */
  | { source: string; translation: string; languages: readonly [string, string] }
  | { screen: Screen }
  /** On to another page of this site. */
  | { to: string; text: string }
  /** The two addresses that people keep: of the site, and of its downloads. */
  | { addresses: readonly [site: string, download: string] };

export type DocPart = { title: string; blocks: readonly Block[] };

/** A page that is one document; its title is that of the page. */
export type Doc = { lead: string; updated?: string; parts: readonly DocPart[] };
