import type { Endpoint, Request, Response } from '@yiqiao/contracts/endpoint';
import type { CallOptions } from '../../../shared/api/call.js';
import { silenceDeadline, type SilenceDeadline } from './silence-deadline.js';
import { broken, type Outgoing, type Reply } from '../../../shared/api/exchange.js';
import { dataOf, urlOf } from '../../../shared/api/send.js';
import { requestHeaders } from '../../../shared/api/signed-headers.js';

type UploadOptions = CallOptions & {
  /** How much of the form has left, from 0 to 1. */
  onSent?: (share: number) => void;
};

/** The file is sent without its name, which is not needed and may be private. */
const formOf = (file: Blob, fields: Readonly<Record<string, unknown>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (typeof value === 'string') form.set(name, value);
  form.set('file', file, 'file');
  return form;
};

type Load = { outgoing: Outgoing; headers: Record<string, string>; form: FormData; onSent: (share: number) => void };

/** One attempt, by XMLHttpRequest, because fetch has no upload progress. */
const sent = ({ outgoing, headers, form, onSent }: Load, { deadline, renew }: SilenceDeadline): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    const stop = (): void => xhr.abort();
    const over = (): void => {
      deadline.removeEventListener('abort', stop);
      outgoing.signal?.removeEventListener('abort', stop);
    };
    const fail = (): void => {
      over();
      reject(broken({ outgoing, deadline }, new TypeError('no connection')));
    };
    xhr.open(outgoing.method, urlOf(outgoing));
    for (const [name, value] of Object.entries({ ...headers, ...outgoing.headers })) xhr.setRequestHeader(name, value);
    xhr.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      renew();
      if (lengthComputable && total > 0) onSent(loaded / total);
    };
    xhr.upload.onload = () => {
      renew();
      onSent(1);
    };
    xhr.onerror = fail;
    xhr.onabort = fail;
    xhr.onload = () => {
      over();
      resolve({ http: xhr.status, retryAfter: xhr.getResponseHeader('retry-after'), text: xhr.responseText });
    };
    deadline.addEventListener('abort', stop);
    outgoing.signal?.addEventListener('abort', stop);
    if (outgoing.signal?.aborted) fail();
    else xhr.send(form);
  });

/**
 * Calls an endpoint that takes a file, signed like every call. Given up after a minute in which nothing moved. Throws ApiError, as `call`
 * does.
 */
export async function upload<E extends Endpoint>(
  { method, path }: E,
  { file, fields }: { file: Blob; fields: Request<E> },
  { idempotencyKey, signal, onSent = () => undefined }: UploadOptions = {},
): Promise<Response<E>> {
  const outgoing = {
    method,
    path,
    ...(idempotencyKey ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
    ...(signal ? { signal } : {}),
  };
  const form = formOf(file, fields as Readonly<Record<string, unknown>>);
  const data = await dataOf(async () => {
    const waiting = silenceDeadline();
    try {
      return await sent({ outgoing, headers: await requestHeaders(), form, onSent }, waiting);
    } finally {
      waiting.end();
    }
  });
  // The contract test of the server proves this shape, as for `call`.
  return data as Response<E>;
}
