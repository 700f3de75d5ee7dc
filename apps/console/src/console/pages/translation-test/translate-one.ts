import type { Request, Response } from '@yiqiao/contracts/endpoint';
import type { translateText } from '@yiqiao/contracts/translation';

/** One text through one channel; the page never sends several at once. */
export type Asked = Omit<Request<typeof translateText>, 'text'> & { text: string };
export type Answer = Exclude<Response<typeof translateText>, { items: unknown }>;
