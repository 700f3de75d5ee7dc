import type { VendorUse } from '../../ledger/ledger.js';
import type { Box, PictureInfo } from '../engines/pictures/jobs.js';

/** A line of a picture. Boxes are in pixels of the picture turned clockwise by {@link Reading.turn} degrees about its middle. */
export type Line = {
  readonly box: Box;
  readonly text: string;
  /** Its words with their boxes; a reader that does not know them returns the line as one word. */
  readonly words: readonly { readonly box: Box; readonly text: string }[];
  /** The font size in pixels; null if unknown. */
  readonly em: number | null;
  /** The baseline of its letters; null if unknown. */
  readonly baseline: number | null;
};

/** A recognised picture. `turn`: the rotation that makes its lines level. */
export type Reading = {
  readonly turn: number;
  readonly lines: readonly Line[];
  /** The vendor's part; absent: the local engines read it. */
  readonly vendor?: VendorUse | null;
};

/** A picture to read. */
export type Picture = PictureInfo & {
  /** The path of the file, in its own folder, which may hold intermediate files. */
  readonly path: string;
  readonly bytes: number;
};

export type ReadRequest = {
  readonly picture: Picture;
  /** A langCode; null: to be detected. */
  readonly source: string | null;
  readonly family: number;
  readonly signal: AbortSignal;
};

/** Reads pictures: the local engines, or a channel's vendor. */
export type PictureReader = {
  /** No lines: there is no text. Throws a Refusal: UPSTREAM_FAILED, UPSTREAM_TIMEOUT, NOT_AN_IMAGE, SERVICE_BUSY. */
  read(request: ReadRequest): Promise<Reading>;
};
