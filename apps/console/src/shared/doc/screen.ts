/** What a drawn window of this product shows: its own words, with sample figures. */
export type ScreenRow =
  /** A field as it is filled in, numbered for the text beside it, and what the form says below it. */
  | { field: string; value: string; hint: string }
  | { fact: string; value: string }
  /** What became of a quantity. */
  | { moved: string; by: string; before: string; after: string }
  | { button: string };

/** Drawn in words, so that it is sharp at every size, dark at night, and searched and translated like any text. */
export type Screen = {
  /** What the drawing shows, for whoever does not see it. */
  says: string;
  title: string;
  rows: readonly ScreenRow[];
};
