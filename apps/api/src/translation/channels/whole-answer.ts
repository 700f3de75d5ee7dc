import type { IncomingHttpHeaders } from 'node:http';
import { type Dispatcher, errors } from 'undici';

/** What came back of one request. `status` null: nothing did. `error`: why it is not all there. */
type Answered = {
  readonly status: number | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly error: Error | null;
};

/**
 * Takes the answer to one request as it comes, and keeps it until it is whole. A stream would do the same and more, in which nobody here
 * has an interest, and cost more than the rest of the request.
 */
export class WholeAnswer implements Dispatcher.DispatchHandler {
  readonly #whole = Promise.withResolvers<Answered>();
  readonly #chunks: Buffer[] = [];
  #status: number | null = null;
  #headers: IncomingHttpHeaders = {};
  #controller: Dispatcher.DispatchController | null = null;

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener('abort', this.#giveUp);
  }

  /** Never rejects. Also settles, and ends the request, when the signal fires. */
  get whole(): Promise<Answered> {
    return this.#whole.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.signal.aborted) this.#giveUp();
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    // 103 and the like announce the answer.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#settle(null);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#settle(error);
  }

  // Several requests may end by one signal: each by a reason of its own, as in `VendorHttp.close`.
  readonly #giveUp = (): void => {
    const reason = new errors.RequestAbortedError();
    this.#controller?.abort(reason);
    this.#settle(reason);
  };

  #settle(error: Error | null): void {
    this.signal.removeEventListener('abort', this.#giveUp);
    const [first = NOTHING, ...more] = this.#chunks;
    const body = more.length === 0 ? first : Buffer.concat(this.#chunks);
    this.#whole.resolve({ status: this.#status, headers: this.#headers, body, error });
  }
}

const NOTHING = Buffer.alloc(0);
