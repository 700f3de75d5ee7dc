/** The text about webhooks, in chunks of their own. */
import { language } from '../../../../shared/i18n/language.js';
import type { DevBlock } from '../dev-doc.js';

type Blocks = readonly DevBlock[];

const load = (): Promise<Blocks> =>
  (language === 'en' ? import('./blocks.en.js') : import('./blocks.zh.js')).then(({ default: blocks }) => blocks);

let prerendered: Blocks | undefined;
let later: Promise<Blocks | null> | undefined;

/** Awaited where pages are prerendered. */
export async function loadWebhooks(): Promise<void> {
  prerendered = await load();
}

/**
 * In browsers it is a promise, because they have the text in the document already: the page is hydrated without it, and this part once it
 * has come. Null: it could not be loaded.
 */
export const webhookBlocks = (): Blocks | Promise<Blocks | null> => prerendered ?? (later ??= load().catch(() => null));
