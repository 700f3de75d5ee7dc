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

/** The client of a stream and the id it chose. */
export type StreamRequest = { clientId: string; address: string; caller: Caller | null };

/** Sub-accounts do not see orders (specification §6). */
const MAIN_ONLY: readonly string[] = ['order'] satisfies (keyof NoticeEvents)[];

/** The topic on which processes with streams listen for streams to end. */
const ENDED_TOPIC = 'streams';
/** The stream with this key, unless its id is `except`. */
type EndedStream = { key: string; except?: string };

/** Opens and closes streams across processes. */
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

  /** Takes over the connection. Throws TOO_MANY_REQUESTS and SERVICE_BUSY before it answers. */
  async open(
    { clientId, address, caller, language }: StreamRequest & { language: Language },
    reply: FastifyReply,
  ): Promise<void> {
    await this.rates.take('streamOpens', address);
    const [key = ''] = this.#keysOf({ clientId, address, caller });
    const stream = new EventStream({ key, address, caller, language }, reply.raw);
    await this.streams.add(stream);
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value) reply.raw.setHeader(name, value);
    reply.hijack();
    const [accountVersion] = await Promise.all([
      // Watch the account before `ready`, so that no change is missed.
      caller ? this.accounts.begin(caller.userId) : null,
      (this.#listening ??= this.#listen()),
      // Ends the stream of a broken connection, in whichever process.
      this.live.publish(ENDED_TOPIC, { key, except: stream.id } satisfies EndedStream),
    ]);
    stream.begin(`retry: ${NOTICE_RECONNECT_MS}\n\n${frameOf('ready', { clientId, accountVersion }).toString()}`);
  }

  /** Also closes the stream that the client opened before it signed in. */
  async close(request: StreamRequest): Promise<void> {
    for (const key of this.#keysOf(request)) {
      this.streams.end(key);
      await this.live.publish(ENDED_TOPIC, { key } satisfies EndedStream);
    }
  }

  /** Subscribes once per process: a subscription per stream would cost more than the streams. */
  async #listen(): Promise<void> {
    await Promise.all([
      this.live.listen(ENDED_TOPIC, (message) => {
        const { key, except } = message as EndedStream;
        this.streams.end(key, except);
      }),
      this.live.listen(SESSIONS_TOPIC, (message) =>
        this.sessions.checkUsers((message as { userIds: number[] }).userIds),
      ),
      this.live.listen(FAMILIES_TOPIC, (message) => {
        const { familyId, ...notice } = message as { familyId: number } & Notice;
        for (const stream of this.streams.ofFamily(familyId)) sendTo(stream, notice);
      }),
    ]);
  }

  /**
   * Keys combine the client's id with its owner, a member or an address, so that nobody can end another's stream. Digests, because they
   * go through Redis. The first is the key to open under.
   */
  #keysOf({ clientId, address, caller }: StreamRequest): string[] {
    const owners = [...(caller ? [`member ${caller.userId}`] : []), `address ${networkOf(address)}`];
    return owners.map((owner) => this.vault.hmac('stream', `${owner} ${clientId}`).slice(0, 32));
  }
}

function sendTo(stream: EventStream, { event, data }: Notice): void {
  if (!Object.hasOwn(noticeEvents, event) || (MAIN_ONLY.includes(event) && !stream.reader.caller?.isMain)) return;
  stream.send(frameOf(event, data));
}
