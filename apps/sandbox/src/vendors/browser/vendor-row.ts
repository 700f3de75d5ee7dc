/** An account in the vendors list, as JSON. Times are ISO 8601 in UTC. */
export interface VendorRow {
  readonly account: string;
  readonly vendor: string;
  readonly count: number;
  readonly refused: number;
  readonly chars: number;
  readonly inFlight: number;
  readonly lastAt: string | null;
  readonly switches: readonly VendorSwitch[];
}

/** An active fault switch. `left` null: until switched off. */
export interface VendorSwitch {
  readonly kind: string;
  readonly left: number | null;
  readonly hits: number;
  readonly ms?: number;
  readonly status?: number;
  readonly perSecond?: number;
}

/** One recorded call, as JSON. */
export interface VendorCall {
  readonly at: string;
  readonly call: string;
  readonly texts: number;
  readonly chars: number;
  readonly source: string | null;
  readonly target: string | null;
  readonly status: number | null;
  readonly error: string | null;
  readonly faults: readonly string[];
  readonly ms: number | null;
}
