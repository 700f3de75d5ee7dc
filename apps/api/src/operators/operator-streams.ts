import { Controller, Injectable, Logger, type OnApplicationShutdown, Req, Res } from '@nestjs/common';
import { openOperatorStream, operatorEvents, type OperatorEvents } from '@yiqiao/contracts/operator/stream';
import { NOTICE_RECONNECT_MS } from '@yiqiao/domain/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStream, eventFrame } from '../notices/event-stream.js';
import { Streams } from '../notices/streams.js';
import { Client, type ClientInfo, Endpoint } from '../platform/endpoint.js';
import { Live } from '../platform/live.js';
import { serializeError } from '../platform/logger.js';
import { uuid7 } from '../platform/uuid7.js';
import { CurrentOperatorOf } from './operator-guard.js';
import { type CurrentOperator, OperatorSessions } from './operator-sessions.js';

/** The topic on which the operators' processes listen: `{ event, data }`, ids only. */
const TOPIC = 'operators';
type EventName = Exclude<keyof OperatorEvents, 'ready'>;

/** Tells every open page of an operator that something changed. Best effort: pages also read again from time to time. */
export const tellOperators = <Name extends EventName>(
  live: Live,
  event: Name,
  data: OperatorEvents[Name],
): Promise<void> => live.publish(TOPIC, { event, data });

/** The time for which a stream may outlive its session. */
const CHECK_MS = 800;

const frameOf = <Name extends keyof OperatorEvents>(name: Name, data: OperatorEvents[Name]): Buffer =>
  eventFrame(name, operatorEvents[name].parse(data));

/** The streams of operators' pages. They read the sessions from PostgreSQL, as every request does. */
@Injectable()
export class OperatorStreams implements OnApplicationShutdown {
  readonly #log = new Logger('OperatorStreams');
  readonly #digests = new Map<string, string>();
  #listening: Promise<unknown> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #checking = false;

  constructor(
    private readonly streams: Streams,
    private readonly sessions: OperatorSessions,
    private readonly live: Live,
  ) {}

  /** Takes over the connection. Throws TOO_MANY_REQUESTS and SERVICE_BUSY before it answers. */
  async open(digest: string, { ip: address, language }: ClientInfo, reply: FastifyReply): Promise<void> {
    const key = uuid7();
    const stream = new EventStream({ key, address, caller: null, language }, reply.raw);
    await this.streams.add(stream);
    this.#digests.set(key, digest);
    stream.onClose(() => this.#digests.delete(key));
    this.#timer ??= setInterval(() => void this.#check(), CHECK_MS).unref();
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value) reply.raw.setHeader(name, value);
    reply.hijack();
    await (this.#listening ??= this.live.listen(TOPIC, (message) =>
      this.#send(message as { event: EventName; data: never }),
    ));
    stream.begin(`retry: ${NOTICE_RECONNECT_MS}\n\n${frameOf('ready', {}).toString()}`);
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  #send({ event, data }: { event: EventName; data: never }): void {
    if (!Object.hasOwn(operatorEvents, event)) return;
    const frame = frameOf(event, data);
    for (const stream of this.streams.all()) stream.send(frame);
  }

  /** Ends the streams of sessions that have ended. Skipped while the previous check is still running; without the database none ends. */
  async #check(): Promise<void> {
    if (this.#checking || this.#digests.size === 0) return;
    this.#checking = true;
    try {
      const live = await this.sessions.liveAmong([...new Set(this.#digests.values())]);
      for (const [key, digest] of this.#digests) if (!live.has(digest)) this.streams.end(key);
    } catch (error) {
      this.#log.debug({ msg: 'the sessions of the streams could not be read', error: serializeError(error) });
    } finally {
      this.#checking = false;
    }
  }
}

@Controller()
export class OperatorStreamController {
  constructor(private readonly streams: OperatorStreams) {}

  @Endpoint(openOperatorStream)
  async open(
    @CurrentOperatorOf() { digest }: CurrentOperator,
    @Client() client: ClientInfo,
    @Req() { method }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    // HEAD gets the headers without a stream.
    if (method === 'HEAD')
      await reply.type('text/event-stream; charset=utf-8').header('Cache-Control', 'no-store').send();
    else await this.streams.open(digest, client, reply);
  }
}
