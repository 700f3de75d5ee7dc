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

/** A line as an engine read it. */
export type ReadLine = {
  readonly words: readonly Word[];
  /** From the top of its tall letters to the bottom of its deep ones; null when the engine does not say. */
  readonly height: number | null;
  /** Where its letters stand, in its middle; null when the engine does not say. */
  readonly baseline: number | null;
  /** Of the baseline: pixels down per pixel to the right. */
  readonly slope: number;
  /** Degrees by which its letters are turned counter-clockwise: 0, 90, 180 or 270. */
  readonly turned: number;
};

export type Align = 'left' | 'centre' | 'right';

/** A text to be drawn where lines are now: all in pixels of the picture turned by `turn`, as {@link Preparation} says, and not resized. */
export type DrawnBlock = {
  /** What it replaces, from the top down: each with the height at which the eye sees its middle. */
  readonly lines: readonly { readonly box: Box; readonly middle: number }[];
  readonly text: string;
  /** The size of its type. */
  readonly em: number;
  /** It is written in wide characters, which have finer strokes. */
  readonly wide: boolean;
  /** From one line to the next. */
  readonly pitch: number;
  /** Null: to be seen from what stands around it. */
  readonly align: Align | null;
};

/** The work of the pictures' program. `at`: where the result is written. */
export type Jobs = {
  inspect: { ask: { path: string; pixelsMax: number }; answer: PictureInfo };
  /** `contrast`: whatever is written, black on white, but what stands in the boxes of `without`. `coverage`: the part of the picture that is. */
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
      /** A langCode: fonts and directions go by it. */
      readonly language: string;
      readonly blocks: readonly DrawnBlock[];
    };
    answer: { format: PictureInfo['format'] };
  };
};

export type JobName = keyof Jobs;

/** Why a job was not done: the file is no picture (any more), it unpacks to too much, or something of ours failed. */
export type JobFault = 'not-a-picture' | 'too-large' | 'failed';

export type JobMessage = { [N in JobName]: { readonly job: N; readonly ask: Jobs[N]['ask'] } }[JobName];
export type JobReply = { readonly answer: unknown } | { readonly fault: JobFault };
