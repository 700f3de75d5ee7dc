import type { VendorAccount } from '../channels/vendor.js';

type Kept<T> = { readonly address: string; readonly value: T };

type Upkeep<T> = {
  readonly open: (account: VendorAccount) => T;
  /** The same with another weight, caps or costs; none of them may have changed. */
  readonly change: (value: T, account: VendorAccount) => T;
  /** Paused, removed, or replaced by one with another address or key. */
  readonly retire: (value: T) => void;
};

/** Something for each account, such as a client: it lasts as long as the address and the keys of its account. */
export class PerAccount<T> {
  #kept = new Map<string, Kept<T>>();

  constructor(private readonly upkeep: Upkeep<T>) {}

  /** In the order of the accounts. */
  update(accounts: readonly VendorAccount[]): T[] {
    const before = this.#kept;
    this.#kept = new Map(accounts.map((account) => this.#keep(before, account)));
    for (const [id, { address, value }] of before)
      if (this.#kept.get(id)?.address !== address) this.upkeep.retire(value);
    return this.values;
  }

  get values(): T[] {
    return [...this.#kept.values()].map(({ value }) => value);
  }

  #keep(before: ReadonlyMap<string, Kept<T>>, account: VendorAccount): [string, Kept<T>] {
    const { code, name, baseUrl, key, secret, region, model } = account;
    const [id, address] = [`${code}/${name}`, JSON.stringify([baseUrl, key, secret, region, model])];
    const known = before.get(id);
    if (known?.address !== address) return [id, { address, value: this.upkeep.open(account) }];
    return [id, { address, value: this.upkeep.change(known.value, account) }];
  }
}

/** Longer than any request: whatever a retired account had under way is over. */
const LAST_REQUEST_MS = 60_000;

/** Closes the client of a retired account once nothing uses it any more. */
export const closeLater = (client: { close(): Promise<void> }): void => {
  setTimeout(() => void client.close(), LAST_REQUEST_MS).unref();
};

/** An account with its client for audio or pictures. */
export type WithClient<C> = { readonly account: VendorAccount; readonly client: C };

export const mediaClients = <C extends { close(): Promise<void> }>(
  open: (account: VendorAccount) => C,
): PerAccount<WithClient<C>> =>
  new PerAccount({
    open: (account) => ({ account, client: open(account) }),
    change: ({ client }, account) => ({ account, client }),
    retire: ({ client }) => closeLater(client),
  });
