import type { FieldError } from '@yiqiao/contracts/envelope';
import type { ErrorCode } from '@yiqiao/domain/errors';

/** The server's error codes, and those of the client. */
type Code = ErrorCode | 'NETWORK' | 'TIMEOUT' | 'BAD_ANSWER' | 'ABORTED';

type Details = {
  code: Code;
  /** HTTP's, or 701–705 for sessions; 0 without a response. */
  status: number;
  errors?: FieldError[];
  /** Facts that the refusal is about, e.g. the detected `source` of a pair that cannot be translated. */
  data?: Record<string, unknown> | null;
  retryAfterSeconds?: number | null;
  /** The client has already shown the error (expired login, 401, 500). */
  announced?: boolean;
};

/** A call that did not succeed; `message` is a sentence for the person, in the page's language. */
export class ApiError extends Error {
  readonly code: Code;
  readonly status: number;
  readonly errors: FieldError[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | null;
  readonly announced: boolean;

  constructor(message: string, details: Details) {
    super(message);
    this.name = 'ApiError';
    this.code = details.code;
    this.status = details.status;
    this.errors = details.errors ?? [];
    this.data = details.data ?? {};
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
    this.announced = details.announced ?? false;
  }

  get msg(): string {
    return this.message;
  }
}

/**
 * The sentence to show for a failed call, or null when there is nothing left to say: the client said it already, or the
 * call was given up on purpose. Errors that are not the API's are bugs and are thrown on.
 */
export function messageOf(error: unknown): string | null {
  if (!(error instanceof ApiError)) throw error;
  return error.announced || error.code === 'ABORTED' ? null : error.message;
}
