/**
 * The document SOFT_DOWNLOAD_CONFIG as the page shows it. Read by hand: the checks of the contract would weigh more than the page, and
 * the server has made them when the document was set. What cannot be shown is left out, never half shown.
 */
import type { Language } from '@yiqiao/contracts/envelope';
import type { softDownloads } from '@yiqiao/contracts/site-documents';
import type { z } from 'zod';

type Item = z.output<typeof softDownloads>[number]['children'][number];

/** One thing to fetch: `href` is an https address. */
export type Fetchable = { id: number; label: string; version: string; href: string };
/** A piece of software: fetched at once, or one of several things that a dialog offers. */
export type Software = Omit<Fetchable, 'href'> & ({ href: string } | { choices: readonly Fetchable[] });

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isItem = (value: unknown): value is Pick<Item, 'id' | 'label' | 'enLabel'> & Record<string, unknown> =>
  isRecord(value) && Number.isInteger(value['id']) && textOf(value['label']) !== '' && textOf(value['enLabel']) !== '';

const httpsOf = (value: unknown): string | null => {
  const url = URL.parse(textOf(value));
  return url?.protocol === 'https:' ? url.href : null;
};

/** What is offered, in the operators' order; things of a dialog stand only in it. Throws SyntaxError when it is no JSON. */
export function softwareIn(valued: string, language: Language): Software[] {
  const document: unknown = JSON.parse(valued);
  const groups = Array.isArray(document) ? document.filter(isRecord) : [];
  const items = groups.flatMap(({ children }) => (Array.isArray(children) ? children.filter(isItem) : []));
  const named = (item: (typeof items)[number]) => ({
    id: item.id,
    label: language === 'en' ? item.enLabel : item.label,
    version: textOf(item['version']),
  });
  const idsIn = ({ childId }: Record<string, unknown>): unknown[] => (Array.isArray(childId) ? childId : []);
  const fetchable = (item: (typeof items)[number]): Fetchable[] => {
    const href = httpsOf(item['val']);
    return href === null ? [] : [{ ...named(item), href }];
  };
  const inDialogs = new Set(items.flatMap(idsIn));
  return items
    .filter(({ id }) => !inDialogs.has(id))
    .flatMap((item): Software[] => {
      const ids = idsIn(item);
      if (ids.length === 0) return fetchable(item);
      const choices = items.filter(({ id }) => ids.includes(id)).flatMap(fetchable);
      return choices.length === 0 ? [] : [{ ...named(item), choices }];
    });
}
