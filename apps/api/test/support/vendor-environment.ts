import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { VendorAccount } from '../../src/translation/channels/vendor.js';
import type { VendorCode } from '../../src/translation/channels/vendor-settings.js';
import {
  breakVendor,
  callsOf,
  mendVendor,
  sandboxAccount,
  type VendorCalls,
  type VendorFault,
} from './sandbox-vendors.js';

export type VendorEnvironment = {
  /** For an api with these channels. */
  env: Record<string, string>;
  fail: (code: VendorCode, fault: VendorFault) => Promise<unknown>;
  mend: (code: VendorCode) => Promise<unknown>;
  /** The translation requests that this vendor received, newest first. */
  calls: (code: VendorCode) => Promise<VendorCalls['calls']>;
  /** The glossaries of this account at DeepL. */
  glossaries: (code: 'deepl') => Promise<DeeplGlossary[]>;
  dropGlossary: (code: 'deepl', id: string) => Promise<void>;
  close: () => Promise<void>;
};

type DeeplGlossary = { glossary_id: string; name: string };

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

/** Channels through the sandbox, with one account each that no other test uses. */
export async function vendorEnvironment(codes: readonly VendorCode[], purpose: string): Promise<VendorEnvironment> {
  const accounts = new Map(codes.map((code) => [code, sandboxAccount(code, purpose)]));
  const accountOf = (code: VendorCode): VendorAccount => {
    const account = accounts.get(code);
    if (!account) throw new Error(`no account at ${code}`);
    return account;
  };
  const { file, remove } = await upstreamsFile([...accounts.values()]);
  const mend = (code: VendorCode): Promise<unknown> => mendVendor(accountOf(code));
  return {
    env: { TRANSLATION_UPSTREAMS_FILE: file },
    fail: (code, fault) => breakVendor(accountOf(code), fault),
    mend,
    calls: async (code) => (await callsOf(accountOf(code))).calls.filter(({ call }) => call === 'translate'),
    glossaries: async (code) => {
      const { baseUrl, key } = accountOf(code);
      const answer = await fetch(`${baseUrl}/v2/glossaries`, { headers: { authorization: `DeepL-Auth-Key ${key}` } });
      return ((await answer.json()) as { glossaries: DeeplGlossary[] }).glossaries;
    },
    dropGlossary: async (code, id) => {
      const { baseUrl, key } = accountOf(code);
      const headers = { authorization: `DeepL-Auth-Key ${key}` };
      await fetch(`${baseUrl}/v2/glossaries/${id}`, { method: 'DELETE', headers });
    },
    close: async () => {
      await Promise.all(codes.map(mend));
      await remove();
    },
  };
}
