import { useMemo, useState } from 'react';
import { language } from '../../../shared/i18n/language.js';
import { AUTO, sourcesOf, targetsOf } from './abilities.js';
import { choicesOf, groupsOf, type LanguageGroup, type Reach, withRecent } from './languages.js';
import type { Catalogue } from './use-catalogue.js';

// In memory only, because browser storage is restricted (specification §3).
let session: { userId: number; codes: readonly string[] } | null = null;

/** The languages that this member used since the page was loaded, newest first. */
export function useRecentLanguages(userId: number): { recent: readonly string[]; remember: (used: string[]) => void } {
  const [recent, setRecent] = useState(() => (session?.userId === userId ? session.codes : []));
  return {
    recent,
    remember: (used) => {
      const codes = withRecent(session?.userId === userId ? session.codes : [], used);
      session = { userId, codes };
      setRecent(codes);
    },
  };
}

type Near = Extract<Reach, 'own' | 'shown'>;

type TextRequest = {
  /** The preferred channels, their kind, and all channels that the member may use. */
  near: readonly number[];
  nearKind: Near;
  far: readonly number[];
  recent: readonly string[];
  /** The chosen source, which determines the targets. */
  source: string;
};

/** Both language lists and the names by code, memoised. */
export function useLanguageGroups(
  { abilities, languages }: Catalogue,
  { near, nearKind, far, recent, source }: TextRequest,
) {
  const choices = useMemo(
    () => ({
      sources: choicesOf(languages.sourceList, language),
      targets: choicesOf(languages.targetList, language),
    }),
    [languages],
  );
  const [nearKey, farKey] = [near.join(), far.join()];
  const sources = useMemo(
    (): readonly LanguageGroup[] =>
      groupsOf({
        choices: choices.sources,
        recent,
        reachOf: reaches({ nearKey, nearKind, farKey }, (some) => sourcesOf(abilities, some)),
      }),
    [choices, recent, abilities, nearKey, nearKind, farKey],
  );
  const targets = useMemo(
    (): readonly LanguageGroup[] =>
      groupsOf({
        choices: choices.targets,
        recent,
        reachOf: reaches({ nearKey, nearKind, farKey }, (some) => targetsOf(abilities, some, source)),
      }),
    [choices, recent, abilities, nearKey, nearKind, farKey, source],
  );
  const names = useMemo(
    () => new Map([...choices.sources, ...choices.targets].map(({ code, name }) => [code, name])),
    [choices],
  );
  return { sources, targets, languageName: (code: string): string => names.get(code) ?? code };
}

const idsOf = (key: string): readonly number[] => (key === '' ? [] : key.split(',').map(Number));

type Keys = { nearKey: string; nearKind: Near; farKey: string };

const reaches = ({ nearKey, nearKind, farKey }: Keys, languagesOf: (ids: readonly number[]) => ReadonlySet<string>) => {
  const [near, far] = [languagesOf(idsOf(nearKey)), languagesOf(idsOf(farKey))];
  return (code: string): Reach => {
    if (code === AUTO) return far.size > 0 ? nearKind : 'none';
    return near.has(code) ? nearKind : far.has(code) ? 'other' : 'none';
  };
};
