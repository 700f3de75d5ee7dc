/**
 * The unmodified API, for part `streams`. Sends its port to the parent as `listening`, and replies to every message with its
 * `HeldResources` after a garbage collection.
 */
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Streams } from '../src/notices/streams.js';
import { Plans } from '../src/plans/plans.js';
import { loadConfig } from '../src/platform/config.js';
import { buildHttp } from '../src/serve.js';

/** Memory in bytes, and open streams. */
export type HeldResources = { streams: number; heap: number; outside: number };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const app = await buildHttp(loadConfig(process.env));
await app.get(Plans).seed();
await app.listen(0, '127.0.0.1');
process.on('message', () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const held: HeldResources = { streams: app.get(Streams, { strict: false }).size, heap: heapUsed, outside: external };
  process.send?.(held);
});
process.send?.({ listening: (app.getHttpServer().address() as AddressInfo).port });
// The parent has ended.
process.once('disconnect', () => process.exit());
