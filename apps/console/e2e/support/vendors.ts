/** The sandbox's vendors: breaks and restores a channel. */
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
