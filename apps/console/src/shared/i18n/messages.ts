/**
 * Message tables live beside the components that show them: each part has `messages.zh.ts` and `messages.en.ts` with flat keys, and adds
 * itself to `Messages`, so that `useMessages('login')` knows its keys:
 *
 *     const zh = { title: '登录' } as const;
 *     export default zh;
 *     declare module '../../../shared/i18n/messages.js' {
 *       interface Messages { login: typeof zh }
 *     }
 *
 * and in English `export default { title: 'Log in' } satisfies Record<keyof typeof zh, string>`: a missing key is a type
 * error. The namespace is the folder's name. Values use `{{name}}` for parameters, and
 * `{{n, noun(one: image; many: images)}}` for a noun that follows a number (fill.ts).
 */
import type { Language } from '@yiqiao/contracts/envelope';
import type sharedMessages from '../messages.zh.js';
import { fill, type Params } from './fill.js';
import { language } from './language.js';

/** One property per part, added by the part itself. */
export interface Messages {
  shared: typeof sharedMessages;
}
export type Namespace = keyof Messages;
/** Returns the message `key` in the page's language. */
export type Translate<N extends Namespace> = (key: Extract<keyof Messages[N], string>, params?: Params) => string;

export type Table = Readonly<Record<string, string>>;
export type MessageFile = { default: Table };
type Loaders = Record<string, () => Promise<MessageFile>>;

const loaderOf = new Map<string, () => Promise<MessageFile>>();

export const namespaceOf = (path: string): string => path.split('/').at(-2) ?? '';

/** The site registers its message files once; those of a page are downloaded with it, in the page's language. */
export function addMessages(loaders: Record<Language, Loaders>): void {
  for (const [path, load] of Object.entries(loaders[language])) loaderOf.set(namespaceOf(path), load);
}

/** Inserts parameters into messages. A missing message shows its key. */
export type MessageFormatter = {
  add: (ns: string, table: Table) => void;
  text: (ns: string, key: string, params?: Params) => string;
};

const tables = new Map<string, Table>();

/** The site's formatter: i18next would be too large there. */
let formatter: MessageFormatter = {
  add: () => undefined,
  text: (ns, key, params) => fill(tables.get(ns)?.[key] ?? key, params),
};

/** The console formats all messages with i18next (docs/decisions/0032). */
export function formatWith(other: MessageFormatter): void {
  for (const [ns, table] of tables) other.add(ns, table);
  formatter = other;
}

/** The console adds all its messages at its start. */
export function addTable(ns: string, table: Table): void {
  tables.set(ns, table);
  formatter.add(ns, table);
}

/** Loads the messages of these parts; awaited before anything that shows them is rendered. */
export async function loadMessages(...namespaces: readonly Namespace[]): Promise<void> {
  await Promise.all(
    namespaces
      .filter((ns) => !tables.has(ns))
      .map(async (ns) => {
        const file = await loaderOf.get(ns)?.();
        if (!file) throw new Error(`no messages for ${ns}`);
        addTable(ns, file.default);
      }),
  );
}

/** Messages outside components, such as those of the API client. */
export const messagesOf =
  <N extends Namespace>(ns: N): Translate<N> =>
  (key, params) =>
    formatter.text(ns, key, params);

/** `const t = useMessages('login'); t('title')`. A page never changes its language while it is shown. */
export const useMessages = <N extends Namespace>(ns: N): Translate<N> => messagesOf(ns);
