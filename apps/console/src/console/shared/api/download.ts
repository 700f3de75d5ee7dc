import type { Endpoint, Request } from '@yiqiao/contracts/endpoint';
import { broken, unreadable, type Trip } from '../../../shared/api/exchange.js';
import { silenceDeadline } from './silence-deadline.js';
import { open } from '../../../shared/api/send.js';

type DownloadOptions = {
  signal: AbortSignal;
  /** How many bytes have come so far; the length of a streamed table is not known before its end. */
  onBytes: (bytes: number) => void;
};

export type Downloaded = { name: string; content: Blob };

const nameOf = (response: Response): string =>
  /filename="([^"/\\]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'yiqiao.csv';

/**
 * Fetches the file of one endpoint of the contract, signed like every call. All or nothing: when the stream breaks off, this throws
 * and there is no file. Throws ApiError, as `call` does.
 */
export async function download<E extends Endpoint>(
  endpoint: E,
  input: Request<E>,
  { signal, onBytes }: DownloadOptions,
): Promise<Downloaded> {
  const { deadline, renew, end } = silenceDeadline();
  const { method, path } = endpoint;
  const trip: Trip = { outgoing: { method, path, query: input as Record<string, unknown>, signal }, deadline };
  try {
    const response = await open(trip);
    const type = response.headers.get('content-type') ?? '';
    if (!response.body || !type.startsWith(`text/${endpoint.file ?? 'csv'}`)) throw unreadable(response.status);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    let bytes = 0;
    for (const reader = response.body.getReader(); ;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw broken(trip, cause);
      });
      if (done) return { name: nameOf(response), content: new Blob(chunks, { type }) };
      renew();
      chunks.push(value);
      onBytes((bytes += value.length));
    }
  } finally {
    end();
  }
}

const KEPT_MS = 60_000;

/** Hands the file to the browser, which asks or saves as the person has set it up. */
export function save({ name, content }: Downloaded): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS); // the browser reads it after this returns
}
