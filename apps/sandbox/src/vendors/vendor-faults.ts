/** Billed calls, which faults apply to: texts, recordings, speech, pictures. */
export const WORK_KINDS = ['translate', 'transcribe', 'speak', 'read'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export const isWorkKind = (call: string): call is WorkKind => (WORK_KINDS as readonly string[]).includes(call);

/** Faults that end a call without a translation. */
export const ENDINGS = ['hang', 'drop', 'rate', 'quota', 'auth', 'error', 'block'] as const;
/** Faults that corrupt the translated texts. */
export const CORRUPTIONS = ['empty', 'count', 'echo', 'script', 'lose', 'lines'] as const;
/** Faults that damage the response bytes. */
export const DAMAGES = ['malformed', 'cut'] as const;

export const FAULT_KINDS = ['delay', 'pace', ...ENDINGS, ...CORRUPTIONS, ...DAMAGES] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];
export type Ending = (typeof ENDINGS)[number];
export type Corruption = (typeof CORRUPTIONS)[number];

/** Longest delay, in ms. */
const MAX_DELAY = 600_000;

const DEFAULT_DELAY = 100;
const DEFAULT_PACE = 5;

/**
 * A fault switch of one account. `call`: the kind of call affected (translate). `times`: only the next so many. `ms`: length of a
 * delay (100), or Retry-After of `rate`. `status`: HTTP status of `error` or `rate`. `perSecond`: limit of `pace` (5).
 */
export interface FaultSwitch {
  readonly kind: FaultKind;
  readonly call?: WorkKind;
  readonly times?: number;
  readonly ms?: number;
  readonly status?: number;
  readonly perSecond?: number;
}

/** An active switch. `left` null: until switched off. `hits`: calls affected. */
export interface Fault extends Omit<FaultSwitch, 'times'> {
  readonly account: string;
  readonly left: number | null;
  readonly hits: number;
}

export const FAULT_BODY = {
  type: 'object',
  required: ['account', 'fault'],
  additionalProperties: false,
  properties: {
    account: { type: 'string', maxLength: 80 },
    fault: {
      type: 'object',
      required: ['kind'],
      additionalProperties: false,
      properties: {
        kind: { enum: FAULT_KINDS },
        call: { enum: WORK_KINDS },
        times: { type: 'integer', minimum: 1, maximum: 1_000_000 },
        ms: { type: 'integer', minimum: 0, maximum: MAX_DELAY },
        status: { type: 'integer', minimum: 400, maximum: 599 },
        perSecond: { type: 'integer', minimum: 1, maximum: 1000 },
      },
    },
  },
} as const;

const isOneOf = <Kind extends FaultKind>(kinds: readonly Kind[], kind: FaultKind): kind is Kind =>
  (kinds as readonly FaultKind[]).includes(kind);

/** The faults applied to one call. */
export interface AppliedFaults {
  readonly delayMs: number;
  readonly ending: (Fault & { readonly kind: Ending }) | null;
  readonly corruptions: readonly Corruption[];
  readonly damage: (typeof DAMAGES)[number] | null;
  readonly kinds: readonly FaultKind[];
}

const NOTHING: AppliedFaults = { delayMs: 0, ending: null, corruptions: [], damage: null, kinds: [] };

/**
 * The fault switches per account, one of each kind. A delay combines with any other. Of those that end a call the latest applies;
 * only without one do corruptions and damage apply.
 */
export class VendorFaults {
  readonly #faults = new Map<string, readonly Fault[]>();

  /** The switches of one account or of all, including used-up ones, whose hits can still be read. */
  list(account?: string): readonly Fault[] {
    return account === undefined ? [...this.#faults.values()].flat() : (this.#faults.get(account) ?? []);
  }

  /** Sets a fault, replacing one of the same kind. Returns the switches of the account. */
  set(account: string, { times, ...wanted }: FaultSwitch): readonly Fault[] {
    const others = this.list(account).filter((one) => one.kind !== wanted.kind || callOf(one) !== callOf(wanted));
    const fault: Fault = { account, ...wanted, ...defaults(wanted), left: times ?? null, hits: 0 };
    this.#faults.set(account, [...others, fault]);
    return this.list(account);
  }

  /** Clears the switches of one account, or of all. Returns their number. */
  reset(account?: string): number {
    const count = this.list(account).length;
    if (account === undefined) this.#faults.clear();
    else this.#faults.delete(account);
    return count;
  }

  /** The rate limit set by a `pace` switch, or null. */
  pace(account: string): number | null {
    return this.list(account).find(({ kind, left }) => kind === 'pace' && left !== 0)?.perSecond ?? null;
  }

  /** The faults for the next call of the account; counts a hit. */
  take(account: string, call: WorkKind): AppliedFaults {
    const all = this.#faults.get(account);
    if (!all) return NOTHING;
    const active = all.filter((one) => one.left !== 0 && one.kind !== 'pace' && callOf(one) === call);
    const ending = active.findLast(({ kind }) => isOneOf(ENDINGS, kind));
    const applied = active.filter((fault) => fault.kind === 'delay' || !ending || fault === ending);
    this.#faults.set(
      account,
      all.map((fault) => (applied.includes(fault) ? used(fault) : fault)),
    );
    return {
      delayMs: applied.find(({ kind }) => kind === 'delay')?.ms ?? 0,
      ending: (ending as AppliedFaults['ending'] | undefined) ?? null,
      corruptions: applied.map(({ kind }) => kind).filter((kind) => isOneOf(CORRUPTIONS, kind)),
      damage: applied.map(({ kind }) => kind).findLast((kind) => isOneOf(DAMAGES, kind)) ?? null,
      kinds: applied.map(({ kind }) => kind),
    };
  }
}

const callOf = ({ call }: FaultSwitch | Fault): WorkKind => call ?? 'translate';

function defaults({ kind, ms, perSecond }: FaultSwitch): Pick<FaultSwitch, 'ms' | 'perSecond'> {
  if (kind === 'delay') return { ms: ms ?? DEFAULT_DELAY };
  return kind === 'pace' ? { perSecond: perSecond ?? DEFAULT_PACE } : {};
}

const used = (fault: Fault): Fault => ({
  ...fault,
  hits: fault.hits + 1,
  left: fault.left === null ? null : fault.left - 1,
});
