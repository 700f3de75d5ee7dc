import { EntityManager } from '@mikro-orm/postgresql';
import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import type { Answer } from '@yiqiao/contracts/endpoint';
import type { Language } from '@yiqiao/contracts/envelope';
import type { listVendorAccounts } from '@yiqiao/contracts/operator/vendors';
import type { ChannelCode } from '@yiqiao/domain/channels';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config.js';
import { Plans } from '../../plans/plans.js';
import { ACCOUNT_COLUMNS, VendorAccounts } from '../../translation/channels/vendor-accounts.js';
import type { AccountOrigin } from '../../translation/channels/vendor.js';
import { sandboxDefaults } from '../../translation/channels/vendors.js';
import { AccountTraffic, type Figures, Traffic } from '../../translation/routing/traffic.js';
import { type ProcessReport, VendorHealth } from '../../translation/routing/vendor-health.js';

type Vendors = Answer<typeof listVendorAccounts>;
type Channel = Vendors['channels'][number];
type Account = Channel['accounts'][number];
type Row = Omit<Account, 'health' | 'keySetAt' | 'sandbox' | 'baseUrl'> & {
  code: ChannelCode;
  origin: AccountOrigin;
  baseUrl: string | null;
  keySetAt: Date | null;
};
/** What is known of all accounts at this moment. */
type Now = {
  at: Date;
  reports: readonly ProcessReport[];
  figures: ReadonlyMap<number, Figures>;
  today: ReadonlyMap<number, number>;
  lastHour: ReadonlyMap<number, number>;
};

export class ListVendorAccounts extends Query<Vendors> {
  constructor(readonly language: Language) {
    super();
  }
}

/** Who translates, and whether they hold: the settings of every account beside what all processes report of it. */
@QueryHandler(ListVendorAccounts)
export class ListVendorAccountsHandler implements IQueryHandler<ListVendorAccounts> {
  constructor(
    private readonly em: EntityManager,
    private readonly plans: Plans,
    private readonly accounts: VendorAccounts,
    private readonly traffic: Traffic,
    private readonly accountTraffic: AccountTraffic,
    private readonly health: VendorHealth,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  async execute({ language }: ListVendorAccounts): Promise<Vendors> {
    const em = this.em.fork();
    const [offers, rows, channelFigures, reports, figures, chars] = await Promise.all([
      this.plans.channelOffers(em),
      em.execute<Row[]>(ROWS),
      this.traffic.figures(),
      this.health.reports(),
      this.accountTraffic.figures(),
      this.health.chars(),
    ]);
    const now: Now = { at: this.clock.now(), reports, figures, ...chars };
    const channels = offers.map(({ id, code, name, enName, price, available }) => {
      const own = rows.filter((row) => row.code === code && this.#isShown(row));
      const figure = channelFigures.get(id);
      return {
        id,
        code,
        name: language === 'en' ? enName : name,
        price,
        available,
        requests: figure?.requests ?? 0,
        successShare: figure?.successShare ?? null,
        medianMs: figure?.medianMs ?? null,
        p95Ms: figure?.p95Ms ?? null,
        accounts: own.map((row) => this.#account(row, own, now)),
      };
    });
    const sandbox = sandboxDefaults('google', this.config).baseUrl !== undefined;
    return { at: this.clock.toWire(now.at), processes: reports.length, sandbox, channels };
  }

  /** A row of settings that this process does not have is only history. */
  #isShown(row: Row): boolean {
    return row.origin === 'console' || this.accounts.configured.some((one) => isSame(one, row));
  }

  #account({ code: _, ...row }: Row, all: readonly Row[], now: Now): Account {
    const configured = this.accounts.configured.find((one) => isSame(one, { ...row, code: _ }));
    const settings = configured ?? { baseUrl: row.baseUrl ?? '', sandbox: this.accounts.isSandbox(row.baseUrl ?? '') };
    const { weight, requestsPerSecond, charsPerMinute, charsPerDay } = configured ?? row;
    return {
      ...row,
      ...{ weight, requestsPerSecond, charsPerMinute, charsPerDay },
      region: configured ? configured.region : row.region,
      model: configured ? configured.model : row.model,
      keyEnd: configured ? endOf(configured.key) : row.keyEnd,
      baseUrl: settings.baseUrl,
      sandbox: settings.sandbox,
      keySetAt: row.keySetAt && this.clock.toWire(row.keySetAt),
      health: this.#health(row.id, all, now),
    };
  }

  #health(id: number, all: readonly Row[], now: Now): Account['health'] {
    const states = now.reports.flatMap(({ accounts }) => accounts[id] ?? []);
    const open = states.filter(({ breaker }) => breaker === 'open');
    const openUntil = open.length > 0 ? Math.min(...open.map((state) => state.openUntil ?? 0)) : null;
    const worst = open[0] ?? states.find(({ breaker }) => breaker === 'half-open') ?? states[0];
    const figure = now.figures.get(id);
    const total = all.reduce((sum, row) => sum + (now.figures.get(row.id)?.requests ?? 0), 0);
    const lefts = states.flatMap(({ charsLeft }) => charsLeft ?? []);
    // They share the cap; the least is the newest.
    const charsLeft = lefts.length > 0 ? Math.min(...lefts) : null;
    const perHour = now.lastHour.get(id) ?? 0;
    return {
      breaker: worst?.breaker ?? 'idle',
      openIn: open.length,
      processes: states.length,
      openKind: worst?.kind ?? null,
      openUntil: openUntil === null ? null : this.clock.toWire(new Date(openUntil)),
      requests: figure?.requests ?? 0,
      successShare: figure?.successShare ?? null,
      medianMs: figure?.medianMs ?? null,
      p95Ms: figure?.p95Ms ?? null,
      requestShare: total === 0 ? null : (figure?.requests ?? 0) / total,
      charsToday: now.today.get(id) ?? 0,
      charsLeft,
      charsLastHour: perHour,
      endsAt: this.#endsAt(charsLeft, perHour, now.at),
      failures: states
        .flatMap(({ failures }) => failures)
        .sort((a, b) => b.at - a.at)
        .slice(0, FAILURES)
        .map(({ at, kind, said }) => ({ at: this.clock.toWire(new Date(at)), kind, said })),
    };
  }

  #endsAt(charsLeft: number | null, perHour: number, at: Date): string | null {
    if (charsLeft === null || perHour === 0) return null;
    const ends = new Date(at.getTime() + (charsLeft / perHour) * 3_600_000);
    return this.clock.day(ends) === this.clock.day(at) ? this.clock.toWire(ends) : null;
  }
}

const FAILURES = 5;

const isSame = (
  one: { code: string; name: string; origin?: string | undefined },
  row: { code: string; name: string; origin: string },
): boolean => one.code === row.code && one.name === row.name && one.origin === row.origin;

const endOf = (key: string): string | null => (key.length < 12 ? null : key.slice(-4));

const ROWS = `SELECT ${ACCOUNT_COLUMNS.replace('sealed_keys AS "sealedKeys", ', '')}, key_end AS "keyEnd", key_set_at AS "keySetAt"
FROM vendor_account WHERE removed_at IS NULL ORDER BY id`;
