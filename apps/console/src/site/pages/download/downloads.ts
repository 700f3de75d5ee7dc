/**
 * Parses SOFT_DOWNLOAD_CONFIG by hand: the contract's schema would weigh more than the page, and the server has validated the document when
 * it was set. Entries that cannot be shown completely are left out.
 */
import type { Language } from '@yiqiao/contracts/envelope';
import type { softDownloads } from '@yiqiao/contracts/site-documents';
import type { z } from 'zod';

type Item = z.output<typeof softDownloads>[number]['children'][number];

/** What operators say of a file, in the page's language. */
type Details = {
  size?: number;
  sha256?: string | undefined;
  requires?: string | undefined;
  notes?: string | undefined;
};

/** One file; `href` is an HTTPS URL. */
export type Fetchable = Details & { id: number; label: string; version: string; href: string };
/** Software with one file, or with several to choose from in a dialog. */
export type Software = Omit<Fetchable, 'href'> & ({ href: string } | { choices: readonly Fetchable[] });

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const isItem = (value: unknown): value is Pick<Item, 'id' | 'label' | 'enLabel'> & Record<string, unknown> =>
  isRecord(value) && Number.isInteger(value['id']) && textOf(value['label']) !== '' && textOf(value['enLabel']) !== '';

const httpsOf = (value: unknown): string | null => {
  const url = URL.parse(textOf(value));
  return url?.protocol === 'https:' ? url.href : null;
};

const SYSTEMS = [
  ['android', /android|安卓/i],
  ['ios', /\bios\b|iphone|ipad/i],
  ['windows', /windows/i],
  ['mac', /mac/i],
  ['linux', /linux/i],
] as const;
type System = (typeof SYSTEMS)[number][0];

/** The system that a browser's user agent, or the label of a download, names; the first that fits. */
export const systemIn = (text: string): System | null => SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

/** Those for `system` first. */
export const sortedFor = (system: System | null, software: readonly Software[]): readonly Software[] =>
  system === null
    ? software
    : software.toSorted((a, b) => Number(systemIn(b.label) === system) - Number(systemIn(a.label) === system));

const inLanguage = (value: unknown, language: Language): string | undefined =>
  isRecord(value) ? textOf(value[language]) || undefined : undefined;

const detailsOf = (item: Record<string, unknown>, language: Language): Details => ({
  ...(typeof item['size'] === 'number' && { size: item['size'] }),
  sha256: textOf(item['sha256']) || undefined,
  requires: inLanguage(item['requires'], language),
  notes: inLanguage(item['notes'], language),
});

/** The downloads in the operators' order; variants appear only in their dialog. Throws SyntaxError for invalid JSON. */
export function softwareIn(valued: string, language: Language): Software[] {
  const document: unknown = JSON.parse(valued);
  const groups = Array.isArray(document) ? document.filter(isRecord) : [];
  const items = groups.flatMap(({ children }) => (Array.isArray(children) ? children.filter(isItem) : []));
  const named = (item: (typeof items)[number]) => ({
    id: item.id,
    label: language === 'en' ? item.enLabel : item.label,
    version: textOf(item['version']),
    ...detailsOf(item, language),
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
