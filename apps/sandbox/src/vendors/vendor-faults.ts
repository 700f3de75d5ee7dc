/** What is worked for and paid, and may be made to fail: texts, recordings, speech, pictures. */
export const WORK_KINDS = ['translate', 'transcribe', 'speak', 'read'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

export const isWorkKind = (call: string): call is WorkKind => (WORK_KINDS as readonly string[]).includes(call);

/** How a translation ends before there is one. */
export const ENDINGS = ['hang', 'drop', 'rate', 'quota', 'auth', 'error', 'block'] as const;
/** What becomes of the texts of an answer. */
export const CORRUPTIONS = ['empty', 'count', 'echo', 'script', 'lose', 'lines'] as const;
/** What becomes of the bytes of an answer. */
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
 * What is switched for one account. `call`: what it meets (translations). `times`: only the next so many of those. `ms`: how long a delay lasts (100), or how long
 * Retry-After asks to wait after `rate`. `status`: the HTTP status of an `error` or a `rate`. `perSecond`: of `pace` (5).
 */
export interface FaultSwitch {
  readonly kind: FaultKind;
  readonly call?: WorkKind;
  readonly times?: number;
  readonly ms?: number;
  readonly status?: number;
  readonly perSecond?: number;
}

/** A switch in force. `left` null: until switched off. `hits`: how many translations it met. */
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

/** What met a translation. */
export interface AppliedFaults {
  readonly delayMs: number;
  readonly ending: (Fault & { readonly kind: Ending }) | null;
  readonly corruptions: readonly Corruption[];
  readonly damage: (typeof DAMAGES)[number] | null;
  readonly kinds: readonly FaultKind[];
}

const NOTHING: AppliedFaults = { delayMs: 0, ending: null, corruptions: [], damage: null, kinds: [] };

/**
 * The failure switches, each for one account. Several may be in force for an account, one of each kind: a delay goes with any other; of
 * those that end a translation the one switched last meets it, and only when none does are its texts and its bytes tamperedSignature.
 */
export class VendorFaults {
  readonly #faults = new Map<string, readonly Fault[]>();

  /** Of one account or of all; those used up too, so that their hits can be read. */
  list(account?: string): readonly Fault[] {
    return account === undefined ? [...this.#faults.values()].flat() : (this.#faults.get(account) ?? []);
  }

  /** Switches a fault on, in the place of one of its kind. Answers those of the account. */
  set(account: string, { times, ...wanted }: FaultSwitch): readonly Fault[] {
    const others = this.list(account).filter((one) => one.kind !== wanted.kind || callOf(one) !== callOf(wanted));
    const fault: Fault = { account, ...wanted, ...defaults(wanted), left: times ?? null, hits: 0 };
    this.#faults.set(account, [...others, fault]);
    return this.list(account);
  }

  /** Switches off everything of one account, or of all. Answers how many there were. */
  reset(account?: string): number {
    const count = this.list(account).length;
    if (account === undefined) this.#faults.clear();
    else this.#faults.delete(account);
    return count;
  }

  /** How many requests a second a switch leaves the account, or null. */
  pace(account: string): number | null {
    return this.list(account).find(({ kind, left }) => kind === 'pace' && left !== 0)?.perSecond ?? null;
  }

  /** What happens to the next call of the account, of the kinds that are work; counts it. */
  meet(account: string, call: WorkKind): AppliedFaults {
    const all = this.#faults.get(account);
    if (!all) return NOTHING;
    const inForce = all.filter((one) => one.left !== 0 && one.kind !== 'pace' && callOf(one) === call);
    const ending = inForce.findLast(({ kind }) => isOneOf(ENDINGS, kind));
    const met = inForce.filter((fault) => fault.kind === 'delay' || !ending || fault === ending);
    this.#faults.set(
      account,
      all.map((fault) => (met.includes(fault) ? used(fault) : fault)),
    );
    return {
      delayMs: met.find(({ kind }) => kind === 'delay')?.ms ?? 0,
      ending: (ending as AppliedFaults['ending'] | undefined) ?? null,
      corruptions: met.map(({ kind }) => kind).filter((kind) => isOneOf(CORRUPTIONS, kind)),
      damage: met.map(({ kind }) => kind).findLast((kind) => isOneOf(DAMAGES, kind)) ?? null,
      kinds: met.map(({ kind }) => kind),
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
