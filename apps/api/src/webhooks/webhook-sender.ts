import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { WEBHOOK_ANSWER_BYTES, WEBHOOK_ANSWER_KEPT, WEBHOOK_MS } from '@yiqiao/domain/limits';
import type { WebhookFailure } from '@yiqiao/domain/webhooks';
import { type Dispatcher, request } from 'undici';
import { externalCall } from '../platform/admission.js';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { AddressRefused, publicAgent, type Resolver } from '../platform/public-agent.js';
import { count } from '../platform/telemetry/instruments.js';
import { isAccepted, type OutgoingMessage, type OutgoingRequest, requestFor } from './formats.js';
import { WebhookSecrets } from './secrets.js';
import type { WebhookEndpoint } from './webhook.entity.js';

/** How an attempt went. `failure` null: it was delivered. `answer`: its beginning. */
export type Attempt = {
  readonly failure: WebhookFailure | null;
  readonly httpStatus: number | null;
  readonly milliseconds: number;
  readonly answer: string | null;
};

const CONNECT_MS = 5_000;
const USER_AGENT = 'Yiqiao-Webhooks/1.0';

/** Sends one message to one endpoint, once. Never throws for what an endpoint does. */
@Injectable()
export class WebhookSender implements OnApplicationShutdown {
  readonly #allowPrivate: boolean;
  #agent: Dispatcher;

  constructor(
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.#allowPrivate = config.env.WEBHOOK_ALLOW_PRIVATE;
    this.#agent = publicAgent({ allowPrivate: this.#allowPrivate, connectMs: CONNECT_MS });
  }

  /** Resolves names in another way: for tests of names that resolve to something else every time. */
  useResolver(resolver: Resolver, allowPrivate = this.#allowPrivate): void {
    this.#agent = publicAgent({ allowPrivate, connectMs: CONNECT_MS, resolver });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#agent.destroy();
  }

  async send(endpoint: WebhookEndpoint, message: OutgoingMessage): Promise<Attempt> {
    const at = this.clock.now();
    const { format, language } = endpoint;
    const opened = this.secrets.open(endpoint, at);
    const time = (iso: string): string => this.clock.toWire(new Date(iso));
    const outgoing = requestFor({ format, language, opened }, message, { at, time });
    const began = performance.now();
    const answered = await externalCall(() => this.#post(outgoing));
    const failure = failureOf(answered, (text) => isAccepted(format, text));
    count('yiqiao.webhooks.attempts', 1, { format, outcome: failure === null ? 'delivered' : 'failed' });
    return {
      failure,
      httpStatus: answered.status,
      milliseconds: Math.round(performance.now() - began),
      answer: answered.text === null ? null : storable(answered.text),
    };
  }

  async #post({ url, headers, body }: OutgoingRequest): Promise<Answered> {
    try {
      const signal = AbortSignal.timeout(WEBHOOK_MS);
      const sent = { 'user-agent': USER_AGENT, ...headers };
      const { statusCode, body: stream } = await request(url, {
        dispatcher: this.#agent,
        method: 'POST',
        headers: sent,
        body,
        signal,
      });
      return { status: statusCode, text: await beginningOf(stream), error: null };
    } catch (error) {
      return { status: null, text: null, error };
    }
  }
}

/** `error`: why there is no status. */
type Answered = { readonly status: number | null; readonly text: string | null; readonly error: unknown };

/** As far as it came within the time and size that an answer has; what it said by its status counts. */
async function beginningOf(stream: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk.subarray(0, WEBHOOK_ANSWER_BYTES - bytes));
      bytes += chunk.length;
      if (bytes >= WEBHOOK_ANSWER_BYTES) break;
    }
  } catch {
    // Cut off, or too slow.
  }
  stream.destroy();
  return Buffer.concat(chunks).toString('utf8');
}

/** PostgreSQL keeps no NUL. */
const storable = (text: string): string => [...text.replaceAll('\0', '\uFFFD')].slice(0, WEBHOOK_ANSWER_KEPT).join('');

function failureOf({ status, text, error }: Answered, accepts: (text: string) => boolean): WebhookFailure | null {
  if (status === null) return failureWithoutAnswer(error);
  if (status === 410) return 'gone';
  if (status >= 300 && status < 400) return 'redirect';
  if (status < 200 || status >= 300) return 'status';
  return accepts(text ?? '') ? null : 'refused';
}

const HOST_UNKNOWN = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'ENODATA']);
const TIMEOUT = new Set(['TimeoutError', 'ConnectTimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError']);
const CERTIFICATE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/;

function failureWithoutAnswer(error: unknown): WebhookFailure {
  if (error instanceof AddressRefused) return 'address';
  // The signal's own error is no Error of every realm.
  const { name = '', code = '' } = Object(error) as { name?: string; code?: string | number };
  if (TIMEOUT.has(name)) return 'timeout';
  if (HOST_UNKNOWN.has(String(code))) return 'host';
  return CERTIFICATE.test(String(code)) ? 'certificate' : 'connection';
}
