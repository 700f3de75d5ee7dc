import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnModuleInit, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../platform/config.js';
import { Live } from '../../platform/live.js';
import { serializeError } from '../../platform/logger.js';
import { Vault } from '../../platform/vault.js';
import type { AccountRecord, VendorAccount } from './vendor.js';
import type { VendorCode } from './vendor-settings.js';
import { accountOf, configuredAccounts } from './vendors.js';

/** The accounts have changed: every process reads them again. */
export const VENDOR_ACCOUNTS_TOPIC = 'vendor-accounts';

/** A change applies within a second even when Redis loses its message. */
const POLL_MS = 800;

type Listener = (accounts: readonly VendorAccount[]) => void;

/** A row of `vendor_account`. `sealedKeys`: see {@link sealKeys}. */
type AccountRow = AccountRecord & {
  readonly code: VendorCode;
  readonly name: string;
  readonly origin: NonNullable<VendorAccount['origin']>;
  readonly baseUrl: string;
  readonly sealedKeys: string | null;
  readonly region: string | null;
  readonly model: string | null;
  readonly weight: number;
  readonly requestsPerSecond: number | null;
  readonly charsPerMinute: number | null;
  readonly charsPerDay: number | null;
  readonly paused: boolean;
};

/** The accounts at vendors: those of this process's settings, and those of the console, which change without a restart. */
@Injectable()
export class VendorAccounts implements OnModuleInit, OnApplicationShutdown {
  readonly #log = new Logger('VendorAccounts');
  readonly #listeners: Listener[] = [];
  /** Of the settings; they never change. */
  readonly configured: readonly VendorAccount[];
  #serving: readonly VendorAccount[];
  #read = '';
  #reading: Promise<void> | undefined;
  #again = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly config: Config,
    private readonly vault: Vault,
    private readonly live: Live,
  ) {
    this.configured = configuredAccounts(config);
    this.#serving = this.configured;
  }

  /** Those that serve now. */
  get serving(): readonly VendorAccount[] {
    return this.#serving;
  }

  /** Whether the settings have an account of this name: it goes first. */
  isConfigured({ code, name }: { code: string; name: string }): boolean {
    return this.configured.some((account) => account.code === code && account.name === name);
  }

  /** The account of this row, paused or not; null: there is none, or not in the settings of this process. */
  async find(id: number): Promise<VendorAccount | null> {
    const [row] = await this.em.fork().execute<AccountRow[]>(READ_ONE, [id]);
    if (!row) return null;
    return row.origin === 'console' ? this.#accountOf(row) : (this.configured.find((one) => isOf(one)(row)) ?? null);
  }

  isSandbox(baseUrl: string): boolean {
    const { SANDBOX_URL: sandbox } = this.config.env;
    return sandbox !== undefined && URL.canParse(baseUrl) && new URL(baseUrl).origin === new URL(sandbox).origin;
  }

  /** Calls it with those that serve, now and after every change. */
  onChange(listener: Listener): void {
    this.#listeners.push(listener);
    listener(this.#serving);
  }

  async onModuleInit(): Promise<void> {
    await this.refresh();
    void this.live.listen(VENDOR_ACCOUNTS_TOPIC, () => void this.refresh());
    this.#timer = setInterval(() => void this.refresh(), POLL_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  /** Reads them again; a call in the meantime causes one more read. Without the database those last read serve on. */
  refresh(): Promise<void> {
    if (this.#reading) this.#again = true;
    this.#reading ??= this.#readUntilSettled().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  /** Of the console, with its keys. */
  #accountOf(row: AccountRow): VendorAccount {
    const { key, secret } = row.sealedKeys === null ? NO_KEYS : this.#opened(row.sealedKeys);
    const given = { ...row, key, secret, region: row.region ?? undefined, model: row.model ?? undefined };
    return { ...accountOf(given, 'console', this.config), record: recordOf(row) };
  }

  async #readUntilSettled(): Promise<void> {
    do {
      this.#again = false;
      try {
        await this.#readOnce();
      } catch (error) {
        this.#log.debug({ msg: 'the accounts could not be read', error: serializeError(error) });
      }
    } while (this.#again);
  }

  async #readOnce(): Promise<void> {
    const em = this.em.fork();
    let rows = await em.execute<AccountRow[]>(READ);
    const unknown = this.configured.filter((account) => !rows.some(isOf(account)));
    if (unknown.length > 0) {
      for (const { code, name, origin } of unknown) await em.execute(REGISTER, [code, name, origin]);
      rows = await em.execute<AccountRow[]>(READ);
    }
    const read = JSON.stringify(rows);
    if (read === this.#read) return;
    const own = rows
      .filter(({ origin, paused }) => origin === 'console' && !paused)
      .filter((row) => !this.isConfigured(row));
    this.#serving = [
      ...this.configured.map((account) => ({ ...account, record: recordOf(rows.find(isOf(account))) })),
      ...own.flatMap((row) => this.#open(row)),
    ];
    this.#read = read;
    for (const listener of this.#listeners) listener(this.#serving);
  }

  #open(row: AccountRow): VendorAccount[] {
    try {
      return [this.#accountOf(row)];
    } catch (error) {
      // Sealed under another APP_SECRET: its keys must be entered again, and the others serve.
      this.#log.error({
        msg: 'an account cannot be used',
        account: `${row.code}/${row.name}`,
        error: serializeError(error),
      });
      return [];
    }
  }

  #opened(sealed: string): Keys {
    return JSON.parse(this.vault.open(sealed)) as Keys;
  }
}

type Keys = { readonly key?: string; readonly secret?: string };
const NO_KEYS: Keys = {};

const recordOf = (row: AccountRow | undefined): AccountRecord | undefined =>
  row && { id: row.id, charCost: row.charCost, voiceCost: row.voiceCost, imageCost: row.imageCost };

const isOf =
  ({ code, name, origin }: VendorAccount) =>
  (row: AccountRow): boolean =>
    row.code === code && row.name === name && row.origin === origin;

export const ACCOUNT_COLUMNS = `id, code, name, origin, base_url AS "baseUrl", sealed_keys AS "sealedKeys", region, model, weight,
  requests_per_second AS "requestsPerSecond", chars_per_minute AS "charsPerMinute", chars_per_day AS "charsPerDay",
  char_cost AS "charCost", voice_cost AS "voiceCost", image_cost AS "imageCost", paused_at IS NOT NULL AS paused`;
const READ = `SELECT ${ACCOUNT_COLUMNS} FROM vendor_account WHERE removed_at IS NULL ORDER BY id`;
const READ_ONE = `SELECT ${ACCOUNT_COLUMNS} FROM vendor_account WHERE removed_at IS NULL AND id = ?`;
const REGISTER = 'INSERT INTO vendor_account (code, name, origin) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
