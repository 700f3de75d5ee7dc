export const FAULT_MODES = ['none', 'refuse', 'slow'] as const;

export type FaultMode = (typeof FAULT_MODES)[number];

/** Longest delay of a slow mail server, in ms. */
export const MAX_DELAY = 60_000;

/** A fault switch. `count` limits it to the next so many mails; without it, it stays on. */
export interface FaultSwitch {
  readonly mode: FaultMode;
  readonly count?: number;
  readonly delayMs?: number;
}

/** The current fault. `hits`: mails affected since it was set; a test uses it to prove a retry. */
export interface FaultState {
  readonly mode: FaultMode;
  readonly count: number | null;
  readonly delayMs: number;
  readonly hits: number;
}

/** The fault switches of the mail server. */
export class MailFaults {
  #state: FaultState = { mode: 'none', count: null, delayMs: 0, hits: 0 };

  get state(): FaultState {
    return this.#state;
  }

  /** Sets a fault; `slow` waits 5 s by default. */
  set({ mode, count, delayMs }: FaultSwitch): FaultState {
    const delay = mode === 'slow' ? (delayMs ?? 5_000) : 0;
    this.#state = { mode, count: mode === 'none' ? null : (count ?? null), delayMs: delay, hits: 0 };
    return this.#state;
  }

  /** The fault for the next mail; counts a hit and turns off after the last. */
  take(): Pick<FaultState, 'mode' | 'delayMs'> {
    const { mode, count, delayMs, hits } = this.#state;
    if (mode === 'none') return this.#state;
    const left = count === null ? null : count - 1;
    this.#state =
      left === 0
        ? { mode: 'none', count: null, delayMs: 0, hits: hits + 1 }
        : { mode, count: left, delayMs, hits: hits + 1 };
    return { mode, delayMs };
  }
}
