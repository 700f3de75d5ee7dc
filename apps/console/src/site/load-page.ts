import type { ComponentType } from 'react';
import { loadMessages } from '../shared/i18n/messages.js';
import { BrokenPage, BrokenPart } from '../shared/ui/broken-page.js';
import type { SitePage } from './page-table.js';

export type ReadyPage = { row: SitePage; Component: ComponentType };

/** The page's code and messages. */
export async function loadPage(row: SitePage): Promise<ReadyPage> {
  const [file] = await Promise.all([row.page(), loadMessages(...row.messages)]);
  return { row, Component: file.default };
}

/** In a browser: a page that fails to load is replaced by a message. */
export const loadPageOrMessage = (row: SitePage): Promise<ReadyPage> =>
  loadPage(row).catch(() => ({ row, Component: row.layout === 'bare' ? BrokenPage : BrokenPart }));
