import type { ErrorCode } from '@yiqiao/domain/errors';

/** Base path of the client API (decisions §1). */
export const BASE_PATH = '/client-user';
/** What the paths of the API for members' own software are below. */
export const NATIVE_PATH = '/v1';
/** Where clients of other products find the API that they already speak (docs/decisions/0072). */
export const DOOR_PATHS = {
  deepl: '/deepl',
  /** The same once more, for the SDKs of DeepL that take a host and drop its path. */
  deeplRoot: '/v2',
  google: '/google',
  libretranslate: '/libre',
  deeplx: '/deeplx',
  immersive: '/immersive',
} as const;

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

/** The language that the client likes best of those we speak, by its q-values; `zh` when it likes neither (decisions §1). */
export const languageOf = (acceptLanguage: string | undefined): Language => {
  const liked = { zh: 0, en: 0 };
  for (const part of (acceptLanguage ?? '').toLowerCase().slice(0, 200).split(',')) {
    const [tag = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const language = tag.slice(0, 2);
    if (language !== 'zh' && language !== 'en') continue;
    const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    liked[language] = Math.max(liked[language], q === undefined ? 1 : Number(q) || 0);
  }
  // Between equals the one named first wins; nothing named is Chinese.
  if (liked.en !== liked.zh) return liked.en > liked.zh ? 'en' : 'zh';
  return liked.en > 0 && /^\s*en/i.test(acceptLanguage ?? '') ? 'en' : 'zh';
};
