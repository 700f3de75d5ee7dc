export const FAULT_MODES = ['none', 'refuse', 'slow'] as const;

export type FaultMode = (typeof FAULT_MODES)[number];

/** Longest delay of a slow mail server, in ms. */
export const MAX_DELAY = 60_000;

/** What is switched. `count` limits it to the next so many mails; without it, it stays until switched off. */
export interface FaultSwitch {
  readonly mode: FaultMode;
  readonly count?: number;
  readonly delayMs?: number;
}

/** What is in force now. `hits` = mails it has met since it was switched: how a test proves that a mail was tried again. */
export interface FaultState {
  readonly mode: FaultMode;
  readonly count: number | null;
  readonly delayMs: number;
  readonly hits: number;
}

/** The failure switches of the mail server. */
export class MailFaults {
  #state: FaultState = { mode: 'none', count: null, delayMs: 0, hits: 0 };

  get state(): FaultState {
    return this.#state;
  }

  /** Switches a fault; `slow` waits 5 s unless told otherwise. */
  set({ mode, count, delayMs }: FaultSwitch): FaultState {
    const delay = mode === 'slow' ? (delayMs ?? 5_000) : 0;
    this.#state = { mode, count: mode === 'none' ? null : (count ?? null), delayMs: delay, hits: 0 };
    return this.#state;
  }

  /** The fault that meets the next mail; counts it, and switches itself off after the last. */
  meet(): Pick<FaultState, 'mode' | 'delayMs'> {
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
