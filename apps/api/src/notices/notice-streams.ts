import { Injectable } from '@nestjs/common';
import { NOTICE_RECONNECT_MS } from '@yiqiao/domain/limits';
import type { Language } from '@yiqiao/contracts/envelope';
import { noticeEvents, type Notice, type NoticeEvents } from '@yiqiao/contracts/notices';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../platform/endpoint.js';
import { FAMILIES_TOPIC, Live, SESSIONS_TOPIC } from '../platform/live.js';
import { networkOf, RateLimits } from '../platform/rate-limits.js';
import { Vault } from '../platform/vault.js';
import { AccountWatch } from './account-watch.js';
import { EventStream, frameOf } from './event-stream.js';
import { SessionWatch } from './session-watch.js';
import { Streams } from './streams.js';

/** Who asks for a stream, and under which id. */
export type Asking = { clientId: string; address: string; caller: Caller | null };
type Opening = Asking & { language: Language };

/** Sub-accounts do not see orders (specification §6). */
const MAIN_ONLY: readonly string[] = ['order'] satisfies (keyof NoticeEvents)[];

/** Where every process that holds streams hears which ones are to end. */
const ENDED_TOPIC = 'streams';
/** By its key; not the one with the id `except`. */
type Ended = { key: string; except?: string };

/** Opens and closes streams, wherever they are held: several processes serve one site. */
@Injectable()
export class NoticeStreams {
  #listening: Promise<void> | undefined;

  constructor(
    private readonly streams: Streams,
    private readonly live: Live,
    private readonly rates: RateLimits,
    private readonly vault: Vault,
    private readonly accounts: AccountWatch,
    private readonly sessions: SessionWatch,
  ) {}

  /** Takes the connection over. Throws TOO_MANY_REQUESTS and SERVICE_BUSY before anything of it is answered. */
  async open({ clientId, address, caller, language }: Opening, reply: FastifyReply): Promise<void> {
    await this.rates.take('streamOpens', address);
    const [key = ''] = this.#keysOf({ clientId, address, caller });
    const stream = new EventStream({ key, address, caller, language }, reply.raw);
    this.streams.add(stream);
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value) reply.raw.setHeader(name, value);
    reply.hijack();
    await Promise.all([
      (this.#listening ??= this.#listen()),
      // One that is left over from a connection that broke, at whichever process, ends.
      this.live.publish(ENDED_TOPIC, { key, except: stream.id } satisfies Ended),
      // From what is known before it is said that the stream stands, every movement is seen.
      caller && this.accounts.begin(caller.userId),
    ]);
    stream.begin(`retry: ${NOTICE_RECONNECT_MS}\n\n${frameOf('ready', { clientId }).toString()}`);
  }

  /** Whoever opened it as a visitor and has signed in since is the same client. */
  async close(asking: Asking): Promise<void> {
    for (const key of this.#keysOf(asking)) {
      this.streams.end(key);
      await this.live.publish(ENDED_TOPIC, { key } satisfies Ended);
    }
  }

  /** Once for all streams of the process: a subscription for each would cost more than the streams themselves. */
  async #listen(): Promise<void> {
    await Promise.all([
      this.live.listen(ENDED_TOPIC, (message) => {
        const { key, except } = message as Ended;
        this.streams.end(key, except);
      }),
      this.live.listen(SESSIONS_TOPIC, (message) => this.sessions.lookAt((message as { userIds: number[] }).userIds)),
      this.live.listen(FAMILIES_TOPIC, (message) => {
        const { familyId, ...notice } = message as { familyId: number } & Notice;
        for (const stream of this.streams.ofFamily(familyId)) tell(stream, notice);
      }),
    ]);
  }

  /**
   * A stream is known by its id together with who opened it, so that nobody meets another's: a member, or whoever comes from one
   * address. Digests, because they stand in Redis. The first is the one to open under.
   */
  #keysOf({ clientId, address, caller }: Asking): string[] {
    const owners = [...(caller ? [`member ${caller.userId}`] : []), `address ${networkOf(address)}`];
    return owners.map((owner) => this.vault.hmac('stream', `${owner} ${clientId}`).slice(0, 32));
  }
}

function tell(stream: EventStream, { event, data }: Notice): void {
  if (!Object.hasOwn(noticeEvents, event) || (MAIN_ONLY.includes(event) && !stream.reader.caller?.isMain)) return;
  stream.send(frameOf(event, data));
}
