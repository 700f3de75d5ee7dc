import type { ComponentType } from 'react';
import type { Namespace } from './i18n/texts.js';

/** What a page table says of every page (specification §2). `texts` are the parts whose texts it needs. */
export type PageRow = {
  path: `/${string}`;
  texts: readonly Namespace[];
  page: () => Promise<{ default: ComponentType }>;
};
