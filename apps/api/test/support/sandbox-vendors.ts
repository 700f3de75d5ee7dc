import { randomInt } from 'node:crypto';
import type { VendorAccount } from '../../src/translation/channels/vendor.js';
import type { VendorCode } from '../../src/translation/channels/vendor-settings.js';
import { accountAt } from './vendor-accounts.js';

/** The sandbox's vendors, for a test that injects faults and inspects requests. */
const at = (path: string): string => `${process.env['SANDBOX_URL'] ?? 'http://127.0.0.1:1'}${path}`;

export type VendorFault = {
  /** The affected calls; by default translations. */
  call?: 'translate' | 'transcribe' | 'speak' | 'read';
  kind:
    | 'delay'
    | 'hang'
    | 'drop'
    | 'cut'
    | 'rate'
    | 'quota'
    | 'auth'
    | 'error'
    | 'empty'
    | 'malformed'
    | 'count'
    | 'echo'
    | 'script'
    | 'lose'
    | 'lines'
    | 'block'
    | 'pace';
  /** By default: until it is cleared. */
  times?: number;
  /** delay: the duration. rate: Retry-After. */
  ms?: number;
  status?: number;
  /** pace only. */
  perSecond?: number;
};

/** The last 50 requests of an account, newest first. `refused`: the number of those without a translation. */
export type VendorCalls = {
  account: string;
  count: number;
  refused: number;
  chars: number;
  mostInFlight: number;
  calls: {
    call: string;
    texts: number;
    source: string | null;
    target: string;
    status: number | null;
    sent: string[];
  }[];
};

const asked = async <T>(path: string, init?: RequestInit): Promise<T> => {
  const answer = await fetch(at(path), init);
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
};

/** Injects a fault of the sandbox for one account, named by its key. */
export const breakVendor = ({ key }: VendorAccount, fault: VendorFault): Promise<unknown> =>
  asked('/vendors/switches', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ account: key, fault }),
  });

export const mendVendor = ({ key }: VendorAccount): Promise<unknown> =>
  asked(`/vendors/switches?account=${encodeURIComponent(key)}`, { method: 'DELETE' });

export const callsOf = ({ key }: VendorAccount): Promise<VendorCalls> =>
  asked(`/vendors/calls?account=${encodeURIComponent(key)}`);

const EXTRAS: Readonly<Partial<Record<VendorCode, Partial<VendorAccount>>>> = {
  microsoft: { region: 'eastasia' },
  tencent: { region: 'ap-guangzhou' },
  chatgpt: { model: 'sandbox-gpt' },
};

/** A new account at the sandbox, whose faults affect no other test. `purpose`: letters, digits and `-`. */
export function sandboxAccount(code: VendorCode, purpose: string, given: Partial<VendorAccount> = {}): VendorAccount {
  const suffix = `${purpose}-${randomInt(2 ** 40).toString(36)}`;
  return accountAt(code, {
    name: suffix,
    baseUrl: at(`/vendors/${code}${code === 'chatgpt' ? '/v1' : ''}`),
    key: `sandbox-${code}-${suffix}`,
    secret: `sandbox-${code}-secret-${suffix}`,
    sandbox: true,
    ...EXTRAS[code],
    ...given,
  });
}
