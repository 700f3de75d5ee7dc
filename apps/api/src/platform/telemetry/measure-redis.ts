import { tracingChannel } from 'node:diagnostics_channel';
import { record } from './instruments.js';

/** What ioredis says of a command; the same object from its begin to its end. */
type RedisCommand = { readonly command: string; error?: unknown };

/** They wait for something to happen, for as long as they may. */
const WAITING: ReadonlySet<string> = new Set([
  'bzpopmin',
  'blpop',
  'brpop',
  'blmove',
  'brpoplpush',
  'xread',
  'xreadgroup',
]);

/** Measures the commands of every connection to Redis, BullMQ's too, through the channel that ioredis has for it. */
export function measureRedis(): void {
  const begun = new WeakMap<object, number>();
  const begin = (message: unknown): void => void begun.set(message as RedisCommand, performance.now());
  const end = (message: unknown): void => {
    const { command, error } = message as RedisCommand;
    const began = begun.get(message as RedisCommand);
    if (began === undefined || WAITING.has(command)) return;
    record('db.client.operation.duration', (performance.now() - began) / 1_000, {
      'db.system.name': 'redis',
      'db.operation.name': command,
      ...(error instanceof Error && { 'error.type': error.name }),
    });
  };
  const ignore = (): void => undefined;
  tracingChannel('ioredis:command').subscribe({
    start: begin,
    asyncEnd: end,
    end: ignore,
    asyncStart: ignore,
    error: ignore,
  });
}
