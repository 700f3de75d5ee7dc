/** In two languages. */
type Sentence = { source: string; translation: string; languages: readonly [string, string] };

/** A row of an illustrated window of the product, with sample data. */
export type ScreenRow =
  /** A filled-in field and the hint below it. */
  | { field: string; value: string; hint: string }
  | { fact: string; value: string }
  | Sentence
  /** How a quantity changed. */
  | { moved: string; by: string; before: string; after: string }
  | { button: string };

/** Rendered as text, so that it is sharp at every size, follows the theme, and can be searched and translated. */
export type Screen = {
  /** The text alternative for screen readers. */
  alt: string;
  title: string;
  rows: readonly ScreenRow[];
};

/** The pictures in public/shots. */
export type Shot = 'register' | 'overview' | 'translation';

/** The blocks of the tutorial, the usage document and the policies. */
/** What every document may hold. */
export type TextBlock =
  | string
  | { readonly list: readonly string[] }
  /** A list whose order matters. */
  | { readonly steps: readonly string[] }
  | { readonly note: string }
  | { readonly warning: string }
  /** A link to another page, of the site or not. */
  | { readonly to: string; readonly text: string };

export type Block =
  | TextBlock
  /** A sentence and its translation, above and below the divider. */
  | Sentence
  | { screen: Screen }
  /** Pictures of the product in both themes, wide and as on a phone (`npm run screenshots`). */
  | { shot: Shot; alt: string }
  /** The two addresses worth keeping: the site and its downloads. */
  | { addresses: readonly [site: string, download: string] };

export type DocPart = { title: string; blocks: readonly Block[] };

/** A page that is one document; its title is that of the page. */
export type Doc = { lead: string; updated?: string; parts: readonly DocPart[] };

export type Policies = Record<'privacy' | 'refund', Doc>;

/** A clause of the user agreement. */
export type Clause = { title: string; paragraphs: readonly string[] };

/** The site's addresses in the form that users keep (specification §2): the root, and the root with `/#/download`. */
export const addressesOf = (origin: string): readonly [site: string, download: string] => [
  `${origin}/`,
  `${origin}/#/download`,
];
