import type { Language as UiLanguage } from '@yiqiao/contracts/envelope';
import { AUTO, type LanguageLists } from './abilities.js';
import { NATIVE_NAMES } from './native-names.js';
import { initialsOf } from './pinyin.js';

export type LanguageRow = LanguageLists['sourceList'][number];

const capital = (name: string, code: string): string => name.charAt(0).toLocaleUpperCase(code) + name.slice(1);

const known = new Map<string, string | null>();

/** A language's name in itself (`de` → `Deutsch`), or null where it is unknown. Intl.DisplayNames is slow, so each name is cached. */
export const nativeName = (code: string): string | null => {
  const before = known.get(code);
  if (before !== undefined) return before;
  const name = NATIVE_NAMES[code] ?? browsersName(code);
  known.set(code, name);
  return name;
};

const browsersName = (code: string): string | null => {
  try {
    const name = new Intl.DisplayNames([code], { type: 'language', fallback: 'none' }).of(code);
    return name === undefined ? null : capital(name, code);
  } catch {
    return null; // not a code that the browser can read: the names in both UI languages remain
  }
};

/** A selectable language: its name in the page's language, its native name and its code. */
export type LanguageChoice = {
  code: string;
  name: string;
  native: string | null;
  /** Searched by substring, in lower case: its names, then its code. */
  names: readonly string[];
  /** Pinyin initials of the Chinese name, searched by prefix. */
  initials: string;
};

/** Lower-case with accents folded away, so that `portugues` finds Português. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();

/** The choices in list order. */
export const choicesOf = (rows: readonly LanguageRow[], ui: UiLanguage): readonly LanguageChoice[] =>
  rows.map(({ langCode, chineseName, englishName }): LanguageChoice => {
    const native = langCode === AUTO ? null : nativeName(langCode);
    const name = ui === 'zh' ? chineseName : englishName;
    const other = ui === 'zh' ? englishName : chineseName;
    return {
      code: langCode,
      name,
      native: native === name ? null : native,
      names: [name, native ?? '', other, langCode].map(fold),
      initials: initialsOf(chineseName),
    };
  });

type Findable = Pick<LanguageChoice, 'names' | 'initials'>;

/** Every typed word must occur in the names or the code, or begin the initials. */
export const matches = ({ names, initials }: Findable, typed: string): boolean =>
  fold(typed.trim())
    .split(/\s+/)
    .every((word) => initials.startsWith(word) || names.some((name) => name.includes(word)));

/** The rank of a match: 0 equals the code or a name, 1 begins a name or the code, 2 begins the initials, 3 occurs within. */
export const rankOf = ({ names, initials }: Findable, typed: string): number => {
  const word = fold(typed.trim());
  if (names.includes(word)) return 0;
  if (names.some((name) => name.startsWith(word))) return 1;
  return initials.startsWith(word) ? 2 : 3;
};

/** Which channel offers a language: the member's own (while none is picked), a picked one, another one, or none now. */
export type Reach = 'own' | 'shown' | 'other' | 'none';
export type LanguageGroup = { kind: 'recent' | Reach; choices: readonly LanguageChoice[] };

type Known = {
  choices: readonly LanguageChoice[];
  /** Codes, most recent first. */
  recent: readonly string[];
  reachOf: (code: string) => Reach;
};

/** Recent available languages first, then all by channel. Each language appears once; `auto` comes first. */
export const groupsOf = ({ choices, recent, reachOf }: Known): readonly LanguageGroup[] => {
  const lately = recent.flatMap((code) => {
    const choice = choices.find((c) => c.code === code);
    return choice && code !== AUTO && reachOf(code) !== 'none' ? [choice] : [];
  });
  const rest = choices.filter((choice) => !lately.includes(choice));
  const [auto, others] = [rest.filter((c) => c.code === AUTO), rest.filter((c) => c.code !== AUTO)];
  const by = (kind: Reach): LanguageGroup => ({ kind, choices: others.filter((c) => reachOf(c.code) === kind) });
  const groups: LanguageGroup[] = [
    { kind: 'recent', choices: lately },
    by('own'),
    by('shown'),
    by('other'),
    by('none'),
  ];
  const first = groups.find((group) => group.choices.length > 0);
  return groups
    .map((group) => (group === first ? { ...group, choices: [...auto, ...group.choices] } : group))
    .filter((group) => group.choices.length > 0);
};

const RECENT = 6;

/** The most recently used languages, newest first. */
export const withRecent = (recent: readonly string[], used: readonly string[]): readonly string[] =>
  [...new Set([...used.filter((code) => code !== AUTO), ...recent])].slice(0, RECENT);
