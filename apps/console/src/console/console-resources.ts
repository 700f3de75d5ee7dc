import type { ResourceProps } from '@refinedev/core';
import { textsOf } from '../shared/i18n/texts.js';
import type { IconName } from '../shared/ui/icon.js';
import { consolePages, nameOf, type ConsolePage } from './page-table.js';

/** What the shell knows of a resource. */
export type PageMeta = {
  label: string;
  who: ConsolePage['who'];
  /** Where its entry stands; none: it has no entry (`hide`). */
  group: 'member' | 'function' | null;
  icon: IconName | null;
  hide: boolean;
};

/** Every page of the console as Refine knows it. Made once the texts are there. */
export function consoleResources(): ResourceProps[] {
  const t = textsOf('console');
  return consolePages.map((row) => ({
    name: nameOf(row),
    list: row.path,
    meta: {
      label: t(row.name),
      who: row.who,
      group: row.menu?.group ?? null,
      icon: row.menu?.icon ?? null,
      hide: row.menu === undefined,
    } satisfies PageMeta,
  }));
}
