import type { ICommand } from '@nestjs/cqrs';
import type { Fact } from '@yiqiao/domain/facts';

/** What follows from a fact; the application says it on one page (`src/deliveries.ts`). */
export abstract class Deliveries {
  /** The facts that this version knows. */
  abstract types(): string[];
  /** The names of everything that must happen; empty when nothing follows. */
  abstract namesFor(fact: Fact): string[];
  /** When a delivery is due (ms since 1970); null: at once. */
  abstract dueAt(fact: Fact, name: string): number | null;
  /** The command of one delivery. Commands of deliveries are idempotent: a job may run twice. */
  abstract commandFor(fact: Fact, name: string): ICommand;
}
