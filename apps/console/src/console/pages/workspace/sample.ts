/**
 * Sample data for the workspace until it exists (specification §2, §3). The
 * telephone numbers are from ranges reserved for fiction.
 */
import type { User } from '../../../shared/auth/stored-user.js';
import type zh from './messages.zh.js';

type Key<Prefix extends string> = Extract<keyof typeof zh, `${Prefix}${string}`>;

export type Kind = 'own' | 'shared' | 'child';
export const KINDS = ['own', 'shared', 'child'] as const satisfies readonly Kind[];

/** Specification §3. `name` is the key of its text. */
export type Space = { id: number; kind: Kind; name: Key<'space_'>; ownerId: number; ownerName: string };

export type Contact = {
  id: number;
  title: string;
  cellphone: string;
  company: string;
  step: Key<'step_'>;
  /** ISO 3166-1 alpha-2. */
  country: string;
  tags: readonly Key<'tag_'>[];
  fromApp: string;
};

/** Ids below 1 belong to no member. */
const SAMPLE = { lin: -1, chen: -2, sofia: -3 } as const;

/** The spaces that `user` would see. A sub-account has no sub-accounts of its own. */
export const spacesOf = ({ userId, username, parentUserId }: User): readonly Space[] => [
  { id: 1, kind: 'own', name: 'space_customers', ownerId: userId, ownerName: username },
  { id: 2, kind: 'own', name: 'space_fair', ownerId: userId, ownerName: username },
  { id: 3, kind: 'shared', name: 'space_europe', ownerId: SAMPLE.sofia, ownerName: 'Sofia Lindqvist' },
  ...(parentUserId === null
    ? ([
        { id: 4, kind: 'child', name: 'space_sales', ownerId: SAMPLE.lin, ownerName: 'lin.sales' },
        { id: 5, kind: 'child', name: 'space_support', ownerId: SAMPLE.chen, ownerName: 'chen.support' },
      ] as const)
    : []),
];

/** The users of a space, its owner first. */
export const usersOf = ({ id, ownerName }: Space): readonly string[] =>
  [ownerName, 'Noah Becker', 'lin.sales', 'Amelie Laurent', 'chen.support', 'Jack Turner']
    .filter((name, at, all) => all.indexOf(name) === at)
    .slice(0, 2 + (id % 4));

const TITLES = [
  'Emma Whitfield',
  'Lucas Moreau',
  'Oliver Hargreaves',
  'Elsa Nordin',
  'Mia Thornton',
  'Hugo Fontaine',
  'Ava Calloway',
  'Nils Bergman',
  'Charlotte Reyes',
  'Liam Ashdown',
  'Camille Leroy',
  'Ethan Maddox',
  'Freja Sandell',
] as const;
const COMPANIES = ['Harbor & Pine', 'Maison Perrin', 'Northgate Supply', 'Lykta Handel', 'Redgum Outdoor'] as const;
const PLACES = [
  { country: 'US', cellphone: (n: string) => `+1 202 555 01${n}` },
  { country: 'FR', cellphone: (n: string) => `+33 6 39 98 10 ${n}` },
  { country: 'GB', cellphone: (n: string) => `+44 7700 9001${n}` },
  { country: 'SE', cellphone: (n: string) => `+46 70 174 06 ${n}` },
  { country: 'AU', cellphone: (n: string) => `+61 491 570 1${n}` },
] as const;
const STEPS = ['step_new', 'step_talking', 'step_quoted', 'step_ordered', 'step_lost'] as const;
const TAGS: readonly Contact['tags'][] = [['tag_retail'], ['tag_wholesale', 'tag_vip'], [], ['tag_sample']];
const APPS = ['WhatsApp', 'Telegram', 'Messenger', 'LINE', 'Instagram'] as const;

/** The number of contacts per space: more than two pages, less than one page, none. */
const COUNTS: Readonly<Record<number, number>> = { 1: 26, 2: 12, 3: 8, 4: 11, 5: 0 };

function at<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new Error('an empty list');
  return found;
}

export const contactsOf = ({ id }: Space): readonly Contact[] =>
  Array.from({ length: COUNTS[id] ?? 0 }, (_, row) => {
    const n = row + 7 * (id - 1);
    const { country, cellphone } = at(PLACES, n);
    return {
      id: 100 * id + row,
      title: at(TITLES, n),
      cellphone: cellphone(String(10 + ((n * 3) % 60))),
      company: at(COMPANIES, n),
      step: at(STEPS, Math.floor(n / 2)),
      country,
      tags: at(TAGS, n),
      fromApp: at(APPS, Math.floor(n / 3)),
    };
  });
