/** The sandbox's vendors: making a channel misbehave, and setting it right again. */
import type { Page } from 'playwright-core';
import { SANDBOX_URL } from './places.js';

/** Both accounts that a channel without keys has at the sandbox. */
const accountsOf = (code: string): readonly string[] => [1, 2].map((n) => `sandbox-${code}-${n}`);

async function switches(query: string, init: RequestInit): Promise<void> {
  const address = `${SANDBOX_URL}/vendors/switches${query}`;
  const response = await fetch(address, init);
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
}

/**
 * From now on the vendor fails (`error`), or refuses every text by its content policy (`block`). Few failures: with some more its accounts
 * would be left alone for a while, and would not work again the moment it is mended.
 */
export async function breakVendor(code: string, kind: 'error' | 'block' = 'error'): Promise<void> {
  for (const account of accountsOf(code))
    await switches('', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ account, fault: { kind } }),
    });
}

export async function mendVendor(code: string): Promise<void> {
  for (const account of accountsOf(code)) await switches(`?account=${account}`, { method: 'DELETE' });
}

/** Picks a language as people do: what is typed, in either language, finds it first, and Enter takes it. */
export async function pickLanguage(
  page: Page,
  label: string,
  { typed, code }: { typed: string; code: string },
): Promise<void> {
  await page.getByRole('combobox', { name: label }).focus();
  await page.keyboard.type(typed);
  const first = page.locator('.ant-select-dropdown:visible .ant-select-item-option-active code');
  await first.getByText(code, { exact: true }).waitFor();
  await page.keyboard.press('Enter');
}
