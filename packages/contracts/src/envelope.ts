import type { ErrorCode } from '@yiqiao/domain/errors';

/** Base path of the client API (decisions §1). */
export const BASE_PATH = '/client-user';

export type FieldError = { path: string; code: string; msg: string };
export type Success<T> = { success: true; data: T; msg: string };
export type Failure = {
  success: false;
  data: Record<string, unknown> | null;
  msg: string;
  code: ErrorCode;
  /** HTTP's, except 701–705 for sessions. */
  status: number;
  errors?: FieldError[];
};
/** Every answer of the API, 404 and 405 included (decisions §1). */
export type Envelope<T> = Success<T> | Failure;

export type Language = 'zh' | 'en';

/** `zh` unless the first language that we speak is English (decisions §1). */
export const languageOf = (acceptLanguage: string | undefined): Language => {
  for (const part of (acceptLanguage ?? '').toLowerCase().split(',')) {
    const tag = part.split(';')[0]?.trim() ?? '';
    if (tag.startsWith('zh')) return 'zh';
    if (tag.startsWith('en')) return 'en';
  }
  return 'zh';
};
