import { type ErrorCode, Refusal } from '@yiqiao/domain/errors';
import { PictureFailure } from '../engines/picture-worker.js';

/** Turns what went wrong with a picture into a refusal; `died`: what it means that the picture brought its program down. */
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
