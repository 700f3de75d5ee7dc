/** Left, top, width, height in pixels. */
export type Box = readonly [left: number, top: number, width: number, height: number];

/** A picture in the orientation that its camera recorded. */
export type PictureInfo = {
  readonly format: 'png' | 'jpeg' | 'webp';
  readonly width: number;
  readonly height: number;
};

/** How a picture is prepared for recognition: turned clockwise by so many degrees about its middle, then brought to this size. */
export type Preparation = { readonly turn: number; readonly width: number; readonly height: number };

export type Word = { readonly box: Box; readonly text: string; /** 0–100 */ readonly confidence: number };

/** A line as an engine recognised it. */
export type ReadLine = {
  readonly words: readonly Word[];
  /** From ascenders to descenders; null if unknown. */
  readonly height: number | null;
  /** The baseline at the middle of the line; null if unknown. */
  readonly baseline: number | null;
  /** The slope of the baseline: pixels down per pixel to the right. */
  readonly slope: number;
  /** Degrees by which its letters are turned counter-clockwise: 0, 90, 180 or 270. */
  readonly turned: number;
};

export type Align = 'left' | 'centre' | 'right';

/** A text to draw in place of lines: in pixels of the picture turned by `turn` (see {@link Preparation}), not resized. */
export type DrawnBlock = {
  /** The lines that it replaces, from top to bottom, each with its optical middle. */
  readonly lines: readonly { readonly box: Box; readonly middle: number }[];
  readonly text: string;
  /** The font size. */
  readonly em: number;
  /** The original is in wide characters, which have finer strokes. */
  readonly wide: boolean;
  /** The distance between baselines. */
  readonly pitch: number;
  /** Null: to be derived from its surroundings. */
  readonly align: Align | null;
};

/** The work of the pictures' program. `at`: where the result is written. */
export type Jobs = {
  inspect: { ask: { path: string; pixelsMax: number }; answer: PictureInfo };
  /** `contrast`: all text in black on white, except in the boxes of `without`. `coverage`: the part of the picture that is black. */
  prepare: {
    ask: Preparation & { path: string; at: string; pixelsMax: number; contrast: boolean; without: readonly Box[] };
    answer: { coverage: number };
  };
  read: { ask: { path: string; languages: readonly string[]; sparse: boolean }; answer: readonly ReadLine[] };
  draw: {
    ask: {
      readonly path: string;
      readonly at: string;
      readonly pixelsMax: number;
      readonly format: PictureInfo['format'];
      readonly turn: number;
      /** A langCode, which determines fonts and direction. */
      readonly language: string;
      readonly blocks: readonly DrawnBlock[];
    };
    answer: { format: PictureInfo['format'] };
  };
};

export type JobName = keyof Jobs;

/** Why a job failed: the file is not a picture, it is too large when decoded, or we failed. */
export type JobFault = 'not-a-picture' | 'too-large' | 'failed';

export type JobMessage = { [N in JobName]: { readonly job: N; readonly ask: Jobs[N]['ask'] } }[JobName];
export type JobReply = { readonly answer: unknown } | { readonly fault: JobFault };
