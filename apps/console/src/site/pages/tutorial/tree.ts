/** The tutorial's tree (specification §2). Groups are named in the texts, sections by their own titles. */
import type { DocPart } from '../../shared/doc/doc.js';

export type Branch = 'beginners' | 'details' | 'officialConsole' | 'client' | 'featured';

export const TREE = [
  { branch: 'beginners', sections: ['xsbk', 'xzaz'], branches: [] },
  {
    branch: 'details',
    sections: [],
    branches: [
      { branch: 'officialConsole', sections: ['hyxx', 'hycz', 'zzhgl', 'xgmm', 'tgyl'] },
      {
        branch: 'client',
        sections: ['yhzx', 'tjyy', 'yygl', 'gysz', 'kjhf', 'fsbz', 'qfxx', 'aihf', 'dlsz', 'xtsz'],
      },
    ],
  },
  { branch: 'featured', sections: ['znai', 'tpfy', 'khzx', 'xssz'], branches: [] },
] as const;

type Top = (typeof TREE)[number];
type Inner = Top['branches'][number];

/** The section that the tutorial begins with, and the one that stands in the narrow flow only. */
export const FIRST = 'cpjc';
export const NARROW_ONLY = 'zcdl';
type Leaf = (Top['sections'] | Inner['sections'])[number];
export type SectionId = typeof FIRST | typeof NARROW_ONLY | Leaf;

export type Section = { title: string; lead: string; parts: readonly DocPart[] };

/** Sections in reading order, each with the groups that it stands in. */
export type Place = { id: SectionId; branches: readonly Branch[] };

const placesIn = ({ branch, sections, branches }: Top): Place[] => [
  ...sections.map((id) => ({ id, branches: [branch] })),
  ...branches.flatMap((inner: Inner) => inner.sections.map((id) => ({ id, branches: [branch, inner.branch] }))),
];

/** What the tree leads to, in reading order. */
export const LEAVES: readonly Place[] = [{ id: FIRST, branches: [] }, ...TREE.flatMap(placesIn)];
export const PLACES: readonly Place[] = [...LEAVES, { id: NARROW_ONLY, branches: [] }];

export const isSection = (text: string): text is SectionId => PLACES.some(({ id }) => id === text);

/** The first section has the tutorial's own address. */
export const addressOf = (id: SectionId): string => (id === FIRST ? '/productDesc' : `/productDesc/${id}`);

/** What a path names as a section; there may be none of that name. */
export const sectionIn = (pathname: string): string | undefined =>
  /^\/productdesc\/([^/]+)\/*$/.exec(pathname.toLowerCase())?.[1];
