/**
 * Texts live beside what they label: each part has `texts.zh.ts` and `texts.en.ts`, flat keys, and declares itself in
 * `Texts`, so that `useTexts('login')` knows its keys:
 *
 *     const zh = { title: '登录' } as const;
 *     export default zh;
 *     declare module '../../shared/i18n/texts.js' {
 *       interface Texts { login: typeof zh }
 *     }
 *
 * and in English `export default { title: 'Log in' } satisfies Record<keyof typeof zh, string>`: a missing key is a type
 * error. The namespace is the folder's name. Values use `{{name}}` for parameters, and
 * `{{n, noun(one: image; many: images)}}` for what they count (fill.ts).
 */
import type sharedTexts from '../texts.zh.js';
import { fill, type Params } from './fill.js';
import { language } from './language.js';

/** One property per part, added by the part itself. */
export interface Texts {
  shared: typeof sharedTexts;
}
export type Namespace = keyof Texts;
/** Says the text of `key` in the page's language. */
export type T<N extends Namespace> = (key: Extract<keyof Texts[N], string>, params?: Params) => string;

type Table = Readonly<Record<string, string>>;
type TextFile = { default: Table };
type Loaders = Record<string, () => Promise<TextFile>>;

// Two globs, because Vite wants them literal: only the chosen language is ever downloaded.
const loaders: Record<'zh' | 'en', Loaders> = {
  zh: import.meta.glob<TextFile>([
    '../texts.zh.ts',
    '../*/texts.zh.ts',
    '../../app/texts.zh.ts',
    '../../features/**/texts.zh.ts',
  ]),
  en: import.meta.glob<TextFile>([
    '../texts.en.ts',
    '../*/texts.en.ts',
    '../../app/texts.en.ts',
    '../../features/**/texts.en.ts',
  ]),
};

const folderOf = (path: string): string => (path.startsWith('../texts.') ? 'shared' : (path.split('/').at(-2) ?? ''));
const byNamespace = new Map(Object.entries(loaders[language]).map(([path, load]) => [folderOf(path), load]));

const tables = new Map<string, Table>();

/** Brings the texts of these parts; awaited before anything that shows them is rendered. */
export async function loadTexts(...namespaces: readonly Namespace[]): Promise<void> {
  await Promise.all(
    namespaces
      .filter((ns) => !tables.has(ns))
      .map(async (ns) => {
        const file = await byNamespace.get(ns)?.();
        if (!file) throw new Error(`no texts for ${ns}`);
        tables.set(ns, file.default);
      }),
  );
}

/** What every page needs. */
export const loadCommonTexts = (): Promise<void> => loadTexts('shared', 'app');

/** Texts outside components (messages of the API client). A missing text shows its key. */
export const textsOf =
  <N extends Namespace>(ns: N): T<N> =>
  (key, params) =>
    fill(tables.get(ns)?.[key] ?? key, params);

/** `const t = useTexts('login'); t('title')`. The language of a page never changes while it is shown. */
export const useTexts = <N extends Namespace>(ns: N): T<N> => textsOf(ns);
