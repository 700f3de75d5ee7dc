import type { ICommand } from '@nestjs/cqrs';
import type { Fact } from '@yiqiao/domain/facts';

/** How long a letter may wait: somebody sits there and waits for it, or it goes when no such letter is left. */
export type LetterHaste = 'awaited' | 'patient';

/** What follows from a fact; the application says it on one page (`src/deliveries.ts`). */
export abstract class Deliveries {
  /** The facts that this version knows. */
  abstract types(): string[];
  /** The names of everything that must happen; empty when nothing follows. */
  abstract namesFor(fact: Fact): string[];
  /** When a delivery is due (ms since 1970); null: at once. */
  abstract dueAt(fact: Fact, name: string): number | null;
  /** Null for what is no letter. Letters wait for a mail server, and nothing else shall wait for them. */
  abstract letterOf(fact: Fact, name: string): LetterHaste | null;
  /** The command of one delivery. Commands of deliveries are idempotent: a job may run twice. */
  abstract commandFor(fact: Fact, name: string): ICommand;
}
