/**
 * Texts live beside what they label: each part has `texts.zh.ts` and `texts.en.ts`, flat keys, and declares itself in
 * `Texts`, so that `useTexts('login')` knows its keys:
 *
 *     const zh = { title: '登录' } as const;
 *     export default zh;
 *     declare module '../../../shared/i18n/texts.js' {
 *       interface Texts { login: typeof zh }
 *     }
 *
 * and in English `export default { title: 'Log in' } satisfies Record<keyof typeof zh, string>`: a missing key is a type
 * error. The namespace is the folder's name. Values use `{{name}}` for parameters, and
 * `{{n, noun(one: image; many: images)}}` for what they count (fill.ts).
 */
import type { Language } from '@yiqiao/contracts/envelope';
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
export type TextFile = { default: Table };
type Loaders = Record<string, () => Promise<TextFile>>;

const byNamespace = new Map<string, () => Promise<TextFile>>();

/** Each entry says once where its texts are: only those of the page's language are ever downloaded. */
export function addTexts(loaders: Record<Language, Loaders>): void {
  for (const [path, load] of Object.entries(loaders[language])) byNamespace.set(path.split('/').at(-2) ?? '', load);
}

/** Fills parameters into texts. A text that is not there is its key. */
export type Messages = {
  add: (ns: string, texts: Table) => void;
  text: (ns: string, key: string, params?: Params) => string;
};

const tables = new Map<string, Table>();

/** The site's, whose script has to stay small. */
let messages: Messages = {
  add: () => undefined,
  text: (ns, key, params) => fill(tables.get(ns)?.[key] ?? key, params),
};

/** The console fills all of its texts with i18next (docs/decisions/0032). */
export function fillWith(others: Messages): void {
  for (const [ns, table] of tables) others.add(ns, table);
  messages = others;
}

/** Brings the texts of these parts; awaited before anything that shows them is rendered. */
export async function loadTexts(...namespaces: readonly Namespace[]): Promise<void> {
  await Promise.all(
    namespaces
      .filter((ns) => !tables.has(ns))
      .map(async (ns) => {
        const file = await byNamespace.get(ns)?.();
        if (!file) throw new Error(`no texts for ${ns}`);
        tables.set(ns, file.default);
        messages.add(ns, file.default);
      }),
  );
}

/** Texts outside components (messages of the API client). A missing text shows its key. */
export const textsOf =
  <N extends Namespace>(ns: N): T<N> =>
  (key, params) =>
    messages.text(ns, key, params);

/** `const t = useTexts('login'); t('title')`. The language of a page never changes while it is shown. */
export const useTexts = <N extends Namespace>(ns: N): T<N> => textsOf(ns);
