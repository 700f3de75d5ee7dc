/**
 * The api as it is, for part `streams`. Tells its parent `listening` with the port, and answers each `look` with a `Looked`: what it holds,
 * after what nobody needs any more has been thrown away.
 */
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Streams } from '../src/notices/streams.js';
import { Plans } from '../src/plans/plans.js';
import { loadConfig } from '../src/platform/config.js';
import { buildHttp } from '../src/serve.js';

/** Bytes in use, and streams. */
export type Looked = { streams: number; heap: number; outside: number };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const app = await buildHttp(loadConfig(process.env));
await app.get(Plans).seed();
await app.listen(0, '127.0.0.1');
process.on('message', () => {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  const looked: Looked = { streams: app.get(Streams, { strict: false }).size, heap: heapUsed, outside: external };
  process.send?.(looked);
});
process.send?.({ listening: (app.getHttpServer().address() as AddressInfo).port });
// Whoever started this is gone: so is the reason to go on.
process.once('disconnect', () => process.exit());
