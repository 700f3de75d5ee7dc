import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { IMAGE_PIXELS_MAX } from '@yiqiao/domain/limits';
import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import type { Upload } from '../../platform/uploads.js';
import { MediaQueue, type Turn } from '../engines/media-queue.js';
import { PictureFailure, PictureWorkers } from '../engines/picture-workers.js';
import type { DrawnBlock } from '../engines/pictures/jobs.js';
import { dataUrl } from '../voice/data-url.js';
import type { Picture } from './reader.js';

/** Converts a failure into a refusal; `died`: the code when the picture crashed its program. */
export const asRefusal =
  (died: ErrorCode) =>
  (error: unknown): never => {
    if (!(error instanceof PictureFailure)) throw error;
    switch (error.kind) {
      case 'not-a-picture':
        throw new Refusal('NOT_AN_IMAGE');
      case 'too-large':
        throw new Refusal('IMAGE_TOO_LARGE');
      case 'stopped':
        throw new Refusal('UPSTREAM_TIMEOUT');
      case 'died':
        throw new Refusal(died);
      case 'failed':
        throw new Refusal('UPSTREAM_FAILED');
    }
  };

type Drawing = { readonly turn: number; readonly language: string; readonly blocks: readonly DrawnBlock[] };

/** Opens uploaded pictures and draws translated ones, in a separate process, when it is the family's turn. */
@Injectable()
export class Pictures {
  constructor(
    private readonly workers: PictureWorkers,
    private readonly queue: MediaQueue,
  ) {}

  /** Detects the format by content, never by name. Throws NOT_AN_IMAGE, IMAGE_TOO_LARGE, SERVICE_BUSY, UPSTREAM_TIMEOUT. */
  async open({ path: at, bytes }: Upload, turn: Turn): Promise<Picture> {
    const ask = { path: at, pixelsMax: IMAGE_PIXELS_MAX };
    const looks = await this.queue.run(turn, () =>
      this.workers.run('inspect', ask, turn.signal).catch(asRefusal('NOT_AN_IMAGE')),
    );
    return { ...looks, path: at, bytes };
  }

  /** The picture with its texts replaced, as a data URL. */
  async draw({ path: from, format }: Picture, drawing: Drawing, turn: Turn): Promise<string> {
    const at = path.join(path.dirname(from), 'drawn');
    const ask = { ...drawing, path: from, at, format, pixelsMax: IMAGE_PIXELS_MAX };
    const drawn = await this.queue.run(turn, () =>
      this.workers.run('draw', ask, turn.signal).catch(asRefusal('UPSTREAM_FAILED')),
    );
    return dataUrl(`image/${drawn.format}`, await readFile(at));
  }
}
