import { EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Input } from '@yiqiao/contracts/endpoint';
import type {
  addVendorAccount,
  changeVendorAccount,
  pauseVendorAccount,
  setVendorKey,
} from '@yiqiao/contracts/operator/vendors';
import { Refusal } from '@yiqiao/domain/errors';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { refusalOf } from '../../platform/input-pipe.js';
import { Live } from '../../platform/live.js';
import { Vault } from '../../platform/vault.js';
import { ACCOUNT_COLUMNS, VENDOR_ACCOUNTS_TOPIC, VendorAccounts } from '../../translation/channels/vendor-accounts.js';
import { upstream, type UpstreamSettings, type VendorCode } from '../../translation/channels/vendor-settings.js';
import { accountOf, accountProblem, sandboxDefaults } from '../../translation/channels/vendors.js';
import { ActionLog, type Actor } from '../action-log.js';

type Address = Pick<Input<typeof setVendorKey>, 'baseUrl' | 'key' | 'secret' | 'region' | 'model'>;
export type VendorAccountChange =
  | ({ do: 'add' } & Input<typeof addVendorAccount>)
  | ({ do: 'change' } & Input<typeof changeVendorAccount>)
  | ({ do: 'setKey' } & Input<typeof setVendorKey>)
  | ({ do: 'pause' | 'resume' | 'remove' } & Input<typeof pauseVendorAccount>);

/** Adds, changes, pauses or removes an account at a vendor; every process follows within a second (operators §9). */
export class ChangeVendorAccount extends Command<{ id: number }> {
  constructor(
    readonly change: VendorAccountChange,
    readonly actor: Actor,
  ) {
    super();
  }
}

type Columns = Record<string, string | number | Date | null>;
type Row = { id: number; code: VendorCode; name: string; origin: string; paused: boolean } & Columns;

@CommandHandler(ChangeVendorAccount)
export class ChangeVendorAccountHandler implements ICommandHandler<ChangeVendorAccount> {
  constructor(
    private readonly em: EntityManager,
    private readonly accounts: VendorAccounts,
    private readonly actions: ActionLog,
    private readonly live: Live,
    private readonly vault: Vault,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async execute({ change, actor }: ChangeVendorAccount): Promise<{ id: number }> {
    const id = await this.em.fork().transactional((em) => this.#carryOut(em, change, actor));
    await this.accounts.refresh();
    await this.live.publish(VENDOR_ACCOUNTS_TOPIC, {});
    return { id };
  }

  async #carryOut(em: EntityManager, change: VendorAccountChange, actor: Actor): Promise<number> {
    if (change.do === 'add') return this.#add(em, change, actor);
    const [before] = await em.execute<Row[]>(`${READ} AND removed_at IS NULL FOR UPDATE`, [change.id]);
    if (!before) throw new Refusal('NOT_FOUND');
    const after = this.#columnsOf(before, change);
    const own = before.origin === 'console';
    if (!own && Object.keys(after).some((name) => !COSTS.includes(name)))
      throw new Refusal('VENDOR_ACCOUNT_OF_SETTINGS');
    const names = Object.keys(after);
    if (names.length === 0) return before.id;
    const was = await this.#told(em, before.id);
    await em.execute(`UPDATE vendor_account SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`, [
      ...Object.values(after),
      before.id,
    ]);
    const is = await this.#told(em, before.id);
    await this.#record(em, actor, { change, of: before, before: was, after: is });
    return before.id;
  }

  async #add(em: EntityManager, change: { do: 'add' } & Input<typeof addVendorAccount>, actor: Actor): Promise<number> {
    const { channel: code, name, weight, requestsPerSecond, charsPerMinute, charsPerDay } = change;
    if (name === 'default' || this.accounts.isConfigured({ code, name })) throw new Refusal('VENDOR_ACCOUNT_EXISTS');
    const columns: Columns = {
      code,
      name,
      origin: 'console',
      ...this.#addressColumns(code, name, change),
      ...capColumns({ weight, requestsPerSecond, charsPerMinute, charsPerDay }),
      ...costColumns(change),
    };
    const names = Object.keys(columns);
    try {
      const [row] = await em.execute<{ id: number }[]>(
        `INSERT INTO vendor_account (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING id`,
        Object.values(columns),
      );
      const id = row?.id ?? 0;
      await this.#record(em, actor, { change, of: { id, code, name }, before: null, after: await this.#told(em, id) });
      return id;
    } catch (error) {
      if (error instanceof UniqueConstraintViolationException) throw new Refusal('VENDOR_ACCOUNT_EXISTS');
      throw error;
    }
  }

  /** The columns that the change sets. */
  #columnsOf({ code, name }: Row, change: Exclude<VendorAccountChange, { do: 'add' }>): Columns {
    switch (change.do) {
      case 'change':
        return { ...capColumns(change), ...costColumns(change) };
      case 'setKey':
        return this.#addressColumns(code, name, change);
      case 'pause':
        return { paused_at: this.clock.now() };
      case 'resume':
        return { paused_at: null };
      case 'remove':
        return { removed_at: this.clock.now(), sealed_keys: null };
    }
  }

  /** Throws VALIDATION_FAILED for what this vendor does not accept. */
  #addressColumns(code: VendorCode, name: string, given: Address): Columns {
    const { baseUrl, key, secret, region, model } = given;
    const asked = Object.fromEntries(
      Object.entries({ baseUrl, key, secret, region, model }).filter(([, value]) => value !== undefined),
    );
    const read = upstream.safeParse({
      code,
      name,
      ...(key?.startsWith('sandbox-') ? sandboxFields(code, this.config) : {}),
      ...asked,
    });
    if (!read.success) throw refused(String(read.error.issues[0]?.path[0] ?? 'baseUrl'));
    const row: UpstreamSettings = read.data;
    const account = accountOf(row, 'console', this.config);
    const problem = accountProblem({ ...row, baseUrl: account.baseUrl }, this.config.production);
    if (problem !== null) throw refused(problem);
    const keys = row.key === undefined ? null : { key: row.key, secret: row.secret };
    return {
      base_url: account.baseUrl,
      sealed_keys: keys && this.vault.seal(JSON.stringify(keys)),
      key_end: row.key === undefined || row.key.length < 12 ? null : row.key.slice(-4),
      key_set_at: keys && this.clock.now(),
      region: account.region,
      model: row.model ?? null,
    };
  }

  /** What the action log may hold of an account: no key. */
  async #told(em: EntityManager, id: number): Promise<Columns> {
    const [row] = await em.execute<Row[]>(
      `SELECT ${TOLD}, removed_at IS NOT NULL AS removed FROM (SELECT ${ACCOUNT_COLUMNS}, key_end AS "keyEnd", removed_at
       FROM vendor_account WHERE id = ?) AS a`,
      [id],
    );
    return { ...row };
  }

  async #record(
    em: EntityManager,
    actor: Actor,
    told: {
      change: VendorAccountChange;
      of: Pick<Row, 'id' | 'code' | 'name'>;
      before: Columns | null;
      after: Columns;
    },
  ): Promise<void> {
    const { change, of, before, after } = told;
    const changed = Object.keys(after).filter((name) => before === null || before[name] !== after[name]);
    const only = (columns: Columns | null): Columns | null =>
      columns && Object.fromEntries(changed.map((name) => [name, columns[name] ?? null]));
    await this.actions.record(em, actor, {
      action: `vendorAccount.${change.do}`,
      target: { kind: 'vendorAccount', id: `${of.code}/${of.name}` },
      before: only(before),
      after: only(after),
      reason: change.reason,
    });
  }
}

const refused = (path: string): Refusal =>
  refusalOf([{ code: 'custom', path: [path], message: 'WRONG_VALUE', input: undefined }]);

const sandboxFields = (code: VendorCode, config: Config): Partial<UpstreamSettings> => {
  const { baseUrl, region, model } = sandboxDefaults(code, config);
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(typeof region === 'string' ? { region } : {}),
    ...(typeof model === 'string' ? { model } : {}),
  };
};

const COSTS = ['char_cost', 'voice_cost', 'image_cost'];
type Caps = Partial<Pick<UpstreamSettings, 'weight' | 'requestsPerSecond' | 'charsPerMinute' | 'charsPerDay'>>;
type Costs = { charCost?: number | undefined; voiceCost?: number | undefined; imageCost?: number | undefined };

const given = (columns: Record<string, number | null | undefined>): Columns =>
  Object.fromEntries(Object.entries(columns).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
const capColumns = ({
  weight,
  requestsPerSecond,
  charsPerMinute,
  charsPerDay,
}: { [K in keyof Caps]: Caps[K] | undefined }): Columns =>
  given({
    weight,
    requests_per_second: requestsPerSecond,
    chars_per_minute: charsPerMinute,
    chars_per_day: charsPerDay,
  });
const costColumns = ({ charCost, voiceCost, imageCost }: Costs): Columns =>
  given({ char_cost: charCost, voice_cost: voiceCost, image_cost: imageCost });

const READ = `SELECT ${ACCOUNT_COLUMNS} FROM vendor_account WHERE id = ?`;
const TOLD = `"baseUrl", region, model, "keyEnd", weight, "requestsPerSecond", "charsPerMinute", "charsPerDay", "charCost",
  "voiceCost", "imageCost", paused`;
