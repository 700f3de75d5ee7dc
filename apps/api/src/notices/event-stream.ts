import type { ServerResponse } from 'node:http';
import type { Language } from '@yiqiao/contracts/envelope';
import { noticeEvents, type NoticeEvents } from '@yiqiao/contracts/notices';
import type { Caller } from '../platform/endpoint.js';
import { uuid7 } from '../platform/uuid7.js';

/** Who reads a stream. `key` names the stream: what one client opens twice under the same id is the same one. */
export type Reader = { key: string; address: string; caller: Caller | null; language: Language };

/** More than this is not kept for a reader who does not take it. */
const BACKLOG_BYTES = 64 * 1024;
/** How long a stream that was ended may take to say so. */
const FAREWELL_MS = 5_000;
const PROBE_MS = 30_000;
const HEARTBEAT = Buffer.from(':\n\n');

const HEAD = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  // No proxy may keep it back, or gather it up to compress it.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** An event as it goes over the wire. The contract's schema is the whitelist of what leaves. */
export const frameOf = <Name extends keyof NoticeEvents>(name: Name, data: NoticeEvents[Name]): Buffer =>
  Buffer.from(`event: ${name}\ndata: ${JSON.stringify(noticeEvents[name].parse(data))}\n\n`);

/** One open connection that is only ever written to. */
export class EventStream {
  readonly id = uuid7();
  #begun = false;

  constructor(
    readonly reader: Reader,
    private readonly response: ServerResponse,
  ) {
    // Whoever vanished without a word is found out.
    response.socket?.setKeepAlive(true, PROBE_MS);
  }

  /** `first`: what is said before anything else. Nothing is sent before this. */
  begin(first: string | Buffer): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    this.response.writeHead(200, HEAD);
    this.response.write(first);
    this.#begun = true;
  }

  /** Whoever does not keep up is cut off, and reads afresh when it comes back. */
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
    setTimeout(() => this.response.destroy(), FAREWELL_MS).unref();
  }

  /** `after` is called once, however the stream comes to its end. */
  whenOver(after: () => void): void {
    if (this.response.destroyed) after();
    else this.response.once('close', after);
  }
}
