import type { ApiError } from '../../../../shared/api/api-error.js';

/** One call with a file: not begun, under way, answered or refused. `sent`: how much of the file has left, from 0 to 1. */
export type Errand<Asked, Answer> =
  | { status: 'none' }
  | { status: 'busy'; asked: Asked; sent: number }
  | { status: 'done'; asked: Asked; answer: Answer; seconds: number }
  | { status: 'refused'; asked: Asked; error: ApiError };
