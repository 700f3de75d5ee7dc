import type { Box, PictureInfo } from '../engines/pictures/jobs.js';

/** A line of a picture. Boxes are in pixels of the picture turned clockwise by {@link Reading.turn} degrees about its middle. */
export type Line = {
  readonly box: Box;
  readonly text: string;
  /** Its words with their boxes; a reader that does not know them gives the line as one. */
  readonly words: readonly { readonly box: Box; readonly text: string }[];
  /** The size of its type in pixels; null when the reader does not say. */
  readonly em: number | null;
  /** Where its letters stand; null when the reader does not say. */
  readonly baseline: number | null;
};

/** What was read. `turn`: so much the picture must be turned for its lines to be level. */
export type Reading = { readonly turn: number; readonly lines: readonly Line[] };

/** A picture that is to be read. */
export type Picture = PictureInfo & {
  /** Of the file, in a folder of its own: what is made on the way may lie beside it. */
  readonly path: string;
  readonly bytes: number;
};

export type ReadRequest = {
  readonly picture: Picture;
  /** A langCode; null: to be found out. */
  readonly source: string | null;
  readonly family: number;
  readonly signal: AbortSignal;
};

/** Who reads pictures: the engines of this machine, or a channel's vendor. */
export type PictureReader = {
  /** No lines: nothing is written there. Throws a Refusal: UPSTREAM_FAILED, UPSTREAM_TIMEOUT, NOT_AN_IMAGE, SERVICE_BUSY. */
  read(request: ReadRequest): Promise<Reading>;
};
