/** The sandbox's vendors: breaks and restores a channel. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANDBOX_URL } from './environment.js';

/** The two sandbox accounts of a channel without keys. */
const accountsOf = (code: string): readonly string[] => [1, 2].map((n) => `sandbox-${code}-${n}`);

async function switches(query: string, init: RequestInit): Promise<void> {
  const address = `${SANDBOX_URL}/vendors/switches${query}`;
  const response = await fetch(address, init);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
}

/**
 * Makes the vendor fail (`error`), or refuse every text by its content policy (`block`). Causes few failures: more would suspend its
 * accounts beyond the repair.
 */
export async function breakVendor(code: string, kind: 'error' | 'block' = 'error'): Promise<void> {
  for (const account of accountsOf(code))
    await switches('', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ account, fault: { kind } }),
    });
}

export async function restoreVendor(code: string): Promise<void> {
  for (const account of accountsOf(code)) await switches(`?account=${account}`, { method: 'DELETE' });
}

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
};

/** Whose turn it is with a vendor: a file with the number of a process. */
const turnOf = (code: string): string => join(tmpdir(), `vendor-${code}-${new URL(SANDBOX_URL).port}`);

/** Waits until no other journey uses this vendor, or breaks it. Returns how to let others use it. */
export async function takeVendor(code: string): Promise<() => Promise<void>> {
  const turn = turnOf(code);
  for (;;) {
    try {
      await writeFile(turn, String(process.pid), { flag: 'wx' });
      let isHeld = true;
      return async () => {
        if (isHeld) await rm(turn, { force: true });
        isHeld = false;
      };
    } catch {
      const holder = Number(await readFile(turn, 'utf8').catch(() => ''));
      if (holder > 0 && !isRunning(holder)) await rm(turn, { force: true });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
