import type { ServerResponse } from 'node:http';
import type { Language } from '@yiqiao/contracts/envelope';
import { noticeEvents, type NoticeEvents } from '@yiqiao/contracts/notices';
import type { Caller } from '../platform/endpoint.js';
import { uuid7 } from '../platform/uuid7.js';

/** The reader of a stream. `key` identifies the stream: a client that opens it again under the same id replaces it. */
export type Reader = { key: string; address: string; caller: Caller | null; language: Language };

/** Buffered bytes after which a slow reader is disconnected. */
const BACKLOG_BYTES = 64 * 1024;
/** Time for an ended stream to close before its socket is destroyed. */
const CLOSE_MS = 5_000;
const PROBE_MS = 30_000;
const HEARTBEAT = Buffer.from(':\n\n');

const HEAD = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Proxies must neither buffer nor compress it.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** An event in the wire format. */
export const eventFrame = (name: string, data: object): Buffer =>
  Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);

/** An event of the members' stream. The contract's schema is the whitelist of fields. */
export const frameOf = <Name extends keyof NoticeEvents>(name: Name, data: NoticeEvents[Name]): Buffer =>
  eventFrame(name, noticeEvents[name].parse(data));

/** One open connection of server-sent events. */
export class EventStream {
  readonly id = uuid7();
  #begun = false;

  constructor(
    readonly reader: Reader,
    private readonly response: ServerResponse,
  ) {
    // Detects peers that vanished.
    response.socket?.setKeepAlive(true, PROBE_MS);
  }

  /** Sends the headers and `first`. Events before this are dropped. */
  begin(first: string | Buffer): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    this.response.writeHead(200, HEAD);
    this.response.write(first);
    this.#begun = true;
  }

  /** Disconnects a reader that does not keep up; it reads everything again when it reconnects. */
  send(frame: Buffer): void {
    if (!this.#begun || this.response.destroyed || this.response.writableEnded) return;
    if (this.response.writableLength > BACKLOG_BYTES) this.response.destroy();
    else this.response.write(frame);
  }

  beat(): void {
    this.send(HEARTBEAT);
  }

  end(): void {
    this.response.end();
    setTimeout(() => this.response.destroy(), CLOSE_MS).unref();
  }

  /** Calls `after` once when the stream ends, for whatever reason. */
  onClose(after: () => void): void {
    if (this.response.destroyed) after();
    else this.response.once('close', after);
  }
}
