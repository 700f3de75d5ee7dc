/** The tutorial's tree (specification §2). Groups are named in the messages, sections by their own titles. */
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

/** The first section, and the one that exists in the narrow layout only. */
export const FIRST = 'cpjc';
export const NARROW_ONLY = 'zcdl';
type Leaf = (Top['sections'] | Inner['sections'])[number];
export type SectionId = typeof FIRST | typeof NARROW_ONLY | Leaf;

export type Section = { title: string; lead: string; parts: readonly DocPart[] };

/** A section and the groups it belongs to. */
export type SectionEntry = { id: SectionId; branches: readonly Branch[] };

const placesIn = ({ branch, sections, branches }: Top): SectionEntry[] => [
  ...sections.map((id) => ({ id, branches: [branch] })),
  ...branches.flatMap((inner: Inner) => inner.sections.map((id) => ({ id, branches: [branch, inner.branch] }))),
];

/** The sections of the tree, in reading order. */
export const LEAVES: readonly SectionEntry[] = [{ id: FIRST, branches: [] }, ...TREE.flatMap(placesIn)];
export const PLACES: readonly SectionEntry[] = [...LEAVES, { id: NARROW_ONLY, branches: [] }];

export const isSection = (text: string): text is SectionId => PLACES.some(({ id }) => id === text);

/** The first section has the tutorial's own address. */
export const addressOf = (id: SectionId): string => (id === FIRST ? '/productDesc' : `/productDesc/${id}`);

/** The section name in a path, known or not. */
export const sectionIn = (pathname: string): string | undefined =>
  /^\/productdesc\/([^/]+)\/*$/.exec(pathname.toLowerCase())?.[1];
