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
 * error. The namespace is the folder's name. Values use i18next's `{{name}}` for parameters, and
 * `{{n, noun(one: image; many: images)}}` for what they count.
 */
import i18next from 'i18next';
import { initReactI18next, useTranslation } from 'react-i18next';
import type sharedTexts from '../texts.zh.js';
import { language, locale } from './language.js';
import { noun } from './noun.js';

/** One property per part, added by the part itself. */
export interface Texts {
  shared: typeof sharedTexts;
}
export type Namespace = keyof Texts;
export type Params = Record<string, string | number>;
/** Says the text of `key` in the page's language. */
export type T<N extends Namespace> = (key: Extract<keyof Texts[N], string>, params?: Params) => string;

// i18next would work out keys and parameters from its own registry; ours is `Texts`.
type Say = (key: string, options: Params) => string;

type TextFile = { default: Record<string, string> };
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

/** Brings the texts of these parts; awaited before anything that shows them is rendered. */
export async function loadTexts(...namespaces: Namespace[]): Promise<void> {
  await Promise.all(
    namespaces
      .filter((ns) => !i18next.hasResourceBundle(language, ns))
      .map(async (ns) => {
        const file = await byNamespace.get(ns)?.();
        if (!file) throw new Error(`no texts for ${ns}`);
        i18next.addResourceBundle(language, ns, file.default);
      }),
  );
}

/** Readies i18next, names the page's language, and brings the texts that every page needs. */
export async function startTexts(): Promise<void> {
  document.documentElement.lang = locale;
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: {},
    ns: [],
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false }, // React escapes
    returnNull: false,
  });
  i18next.services.formatter?.add('noun', noun);
  await loadTexts('shared', 'app');
}

/** Texts outside components (messages of the API client). */
export const textsOf =
  <N extends Namespace>(ns: N): T<N> =>
  (key, params) =>
    (i18next.t as Say)(key, { ...params, ns });

/** `const t = useTexts('login'); t('title')`. */
export function useTexts<N extends Namespace>(ns: N): T<N> {
  const say = useTranslation(ns).t as Say;
  return (key, params) => say(key, { ...params, ns });
}
