import type { Held, Hold, Note, Release, Released, Settle, Settled } from './commands.js';

export declare class LedgerWriter {
  hold(command: Hold): Promise<Held>;
  settle(command: Settle): Promise<Settled>;
  release(command: Release): Promise<Released>;
  note(command: Note): Promise<void>;
}
