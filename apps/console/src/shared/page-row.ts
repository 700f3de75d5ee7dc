import type { ComponentType } from 'react';
import type { Namespace } from './i18n/messages.js';

/** A row of a page table (specification §2). `messages`: the parts whose messages the page needs. */
export type PageRow = {
  path: `/${string}`;
  messages: readonly Namespace[];
  page: () => Promise<{ default: ComponentType }>;
};
