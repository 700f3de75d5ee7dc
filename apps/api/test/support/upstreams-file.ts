import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { VendorAccount } from '../../src/translation/channels/vendor.js';

/** The accounts in a file whose path goes into the api's environment; `remove` deletes it. */
export async function upstreamsFile(
  accounts: readonly VendorAccount[],
): Promise<{ file: string; remove: () => Promise<void> }> {
  const rows = accounts.map(({ sandbox: _, ...account }) =>
    Object.fromEntries(Object.entries(account).filter(([, value]) => value !== null)),
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'upstreams-'));
  const file = path.join(folder, 'upstreams.json');
  await writeFile(file, JSON.stringify(rows), { mode: 0o600 });
  return { file, remove: () => rm(folder, { recursive: true }) };
}
