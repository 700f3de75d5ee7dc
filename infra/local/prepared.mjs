// Migrating and seeding costs two seconds; a restart of the same build on the same cluster has nothing to do there.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { prepareData } from './apps.mjs';
import { root } from './project.mjs';

const builds = ['apps/api/dist', 'packages/domain/dist', 'packages/contracts/dist'];

/**
 * Migrates and seeds, unless this very build did so for this very database before.
 * @param {{env: object, demo: boolean, folder: object, own: boolean}} options own: the database is the folder's own
 * @returns {Promise<{demo?: {account: string, password: string}, note: string}>}
 */
export async function prepareOnce({ env, demo, folder, own }) {
  const file = path.join(folder.dataDir, 'prepared.json');
  const stamp = own ? stampOf(env, demo) : undefined;
  const kept = stamp && readJson(file);
  if (kept?.stamp === stamp && stamp) return { demo: kept.demo, note: 'up to date' };
  const account = await prepareData(env, { demo });
  // Orders of the demo that are still missing are made at the next start.
  if (stamp && !account?.unfinished) fs.writeFileSync(file, JSON.stringify({ stamp, demo: account }), { mode: 0o600 });
  return { demo: account, note: 'migrated and seeded' };
}

/** The cluster's random password names the cluster: a new one gets its migrations. */
function stampOf(env, demo) {
  const hash = createHash('sha256').update(
    JSON.stringify([new URL(env.DATABASE_URL).password, env.APP_SECRET, demo, env.SANDBOX_URL]),
  );
  for (const build of builds) {
    const folder = path.join(root, build);
    const names = fs.readdirSync(folder, { recursive: true }).map(String).sort();
    for (const name of names.filter((each) => each.endsWith('.js'))) {
      hash.update(name).update(fs.readFileSync(path.join(folder, name)));
    }
  }
  return hash.digest('hex');
}

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
