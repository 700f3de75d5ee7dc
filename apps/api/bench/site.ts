/** What a visitor waits for on a cheap phone: the built site from the real api, in a browser whose network and processor are slowed down. */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { defineConfig, MikroORM } from '@mikro-orm/postgresql';
import { chromium, type Browser } from 'playwright-core';
import { prepare } from '../src/operator/prepare.js';
import { loadConfig } from '../src/platform/config.js';
import { startServer } from './child.js';
import { apiEnv } from './signed-in.js';
import { visit, type Language, type Visit } from './site-visit.js';
import { median, overRounds, some, targetLine, type Findings, type Setting, type Target } from './verdicts.js';

/** A page in a language, with what each round found. */
type Place = { name: string; path: string; language: Language; visits: Visit[] };

const PLACES = ['/home', '/price'].flatMap((page) =>
  (['zh', 'en'] as const).map((language) => ({ name: `${page} ${language}`, path: page, language })),
);
const WEB_DIR = path.resolve(import.meta.dirname, '../../../console/dist');
const LEAST_ROUNDS = 5;

const GATES = [
  { name: 'largest paint', of: (visit: Visit) => visit.paint, gate: 2_000, unit: ' ms' },
  { name: 'layout shift', of: (visit: Visit) => visit.shift, gate: 0.02, unit: '' },
  { name: 'main thread blocked', of: (visit: Visit) => visit.blocked, gate: 150, unit: ' ms' },
] as const;

/** Needs REDIS_URL, the built site, and CHROMIUM_PATH: without a browser nothing is measured, and the report says so. */
export async function benchSite({ server, rounds, scale, say }: Setting): Promise<Findings> {
  const executablePath = process.env['CHROMIUM_PATH'];
  const places = PLACES.slice(0, some(PLACES.length, scale)).map((place): Place => ({ ...place, visits: [] }));
  if (executablePath)
    await onSite(server, async (url) => {
      const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
      try {
        await visitAll({ browser, url, places, rounds: Math.max(rounds, some(LEAST_ROUNDS, scale)), scale, say });
      } finally {
        await browser.close();
      }
    });
  else say('no Chromium (CHROMIUM_PATH): nothing was measured');
  return report(places);
}

type Tour = { browser: Browser; url: string; places: Place[]; rounds: number; scale: number; say: Setting['say'] };

/** One visit of each goes before, uncounted: it warms the browser and the api, not the visitor. */
async function visitAll({ browser, url, places, rounds, scale, say }: Tour): Promise<void> {
  for (let round = 0; round <= rounds; round++)
    for (const place of places) {
      const found = await visit(browser, url + place.path, { language: place.language, settle: scale });
      if (round === 0) continue;
      place.visits.push(found);
      const { paint, shift, blocked } = found;
      say(
        `round ${round}, ${place.name}: paint ${Math.round(paint)} ms · shift ${shift.toFixed(4)} · blocked ${Math.round(blocked)} ms`,
      );
    }
}

/** The product's own data in a database of its own, and the api on it. */
async function onSite(server: string, use: (url: string) => Promise<void>): Promise<void> {
  const name = `bench_site_${randomUUID().replaceAll('-', '')}`;
  const database = new URL(server);
  database.pathname = `/${name}`;
  const env = apiEnv(database.href, { WEB_DIR, LOG_LEVEL: 'warn' });
  await prepare(loadConfig(env), false);
  const api = await startServer('http-server', env, ['vendors']);
  try {
    await use(api.url);
  } finally {
    await api.stop();
    const admin = new MikroORM(
      defineConfig({ clientUrl: server, entities: [], discovery: { warnWhenNoEntities: false } }),
    );
    await admin.schema.execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.close(true);
  }
}

const kB = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

function report(places: readonly Place[]): Findings {
  const targets = places.flatMap(({ name, visits }) =>
    GATES.map(({ name: figure, of, gate, unit }): Target =>
      overRounds(visits.map(of), { name: `${name}, ${figure}`, kind: 'below', gate, unit }),
    ),
  );
  const weights = places.map(({ name, visits }) => ({ name, bytes: weightOf(visits) }));
  const text = [
    '',
    'slow 4G (150 ms, 1.6 Mbit/s down, 0.75 up), a processor 4 times slower, nothing cached, medians',
    ...targets.map(targetLine),
    '',
    'over the wire',
    ...weights.map(
      ({ name, bytes }) =>
        `  ${name.padEnd(12)}${Object.entries(bytes)
          .map(([kind, size]) => `  ${kind} ${kB(size)}`)
          .join('')}`,
    ),
  ].join('\n');
  return { text, json: { places, weights }, targets };
}

/** Medians by kind, and of all together. */
function weightOf(visits: readonly Visit[]): Record<string, number> {
  const kinds = [...new Set(visits.flatMap(({ bytes }) => Object.keys(bytes)))].toSorted();
  const all = visits.map(({ bytes }) => Object.values(bytes).reduce((sum, size) => sum + size, 0));
  return {
    ...Object.fromEntries(kinds.map((kind) => [kind, median(visits.map(({ bytes }) => bytes[kind] ?? 0))])),
    ...(visits.length > 0 ? { all: median(all) } : {}),
  };
}
