/**
 * The API on the fixture's database. `metered` replaces the offline engines by a channel that responds at once, to measure the product's own
 * work; `unmetered` replaces the ledger as well; `vendors` replaces nothing. Sends its port to the parent as `listening`, and tells the turns of
 * its event loop when asked.
 */
import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { TextChannel } from '../src/translation/channels/channel.js';
import { Ledger } from '../src/ledger/ledger.js';
import { Plans } from '../src/plans/plans.js';
import { loadConfig } from '../src/platform/config.js';
import { BACKLOG } from '../src/platform/http-server.js';
import { startTelemetry } from '../src/platform/telemetry/telemetry.js';
import { buildHttp } from '../src/serve.js';
import { TextChannels } from '../src/translation/text-channels.js';
import { tellTurns } from './child.js';

const languages = new Set(['zh-Hans', 'en']);

const instant: TextChannel = {
  availability: () => Promise.resolve({ available: true, reason: null }),
  supports: () => Promise.resolve('translation'),
  languages: () => Promise.resolve({ sources: languages, targets: languages, auto: false }),
  translate: ({ texts }) =>
    Promise.resolve(
      texts.map((translated) => ({ translated, quality: 'translation', warning: null, detected: null }) as const),
    ),
  close: () => Promise.resolve(),
};

const unmetered: Partial<Ledger> = {
  hold: () =>
    Promise.resolve({
      state: 'held',
      quota: { charNum: 0, voiceNum: 0, imageNum: 0 },
      codePoints: 0,
      billingMode: 'char',
    }),
  settle: () => Promise.resolve({ charged: 0, entrySeq: 0 }),
};

const config = loadConfig(process.env);
await startTelemetry(config, 'api');
const app = await buildHttp(config);
await app.get(Plans).seed();
const [mode] = process.argv.slice(2);
if (mode !== 'vendors') await app.get(TextChannels, { strict: false }).open('offline', instant);
if (mode === 'unmetered') Object.assign(app.get(Ledger, { strict: false }), unmetered);
await app.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG });
tellTurns();
process.send?.({ listening: (app.getHttpServer().address() as AddressInfo).port });
// The parent has ended.
process.once('disconnect', () => process.exit());
