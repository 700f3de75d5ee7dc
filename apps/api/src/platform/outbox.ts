import { defineEntity, p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { ICommand } from '@nestjs/cqrs';
import type { DomainEvent } from '@yiqiao/domain/events';

const schema = defineEntity({
  name: 'OutboxEvent',
  tableName: 'outbox',
  properties: {
    id: p.bigint('number').primary(),
    fact: p.json<DomainEvent>(),
    recordedAt: p.datetime().defaultRaw('now()'),
    relayedAt: p.datetime().strictNullable(),
    /** The names of the jobs that are done. */
    done: p.array().defaultRaw("'{}'"),
    doneAt: p.datetime().strictNullable(),
  },
});

export class OutboxEvent extends schema.class {}
schema.setClass(OutboxEvent);

/** Events are recorded in the transaction that caused them; the worker's outbox relay moves them to the job queues. */
@Injectable()
export class Outbox {
  async record(em: EntityManager, event: DomainEvent): Promise<void> {
    await em.insert(OutboxEvent, { fact: event });
  }
}

/** Whether a user is waiting for the mail, or it may be sent after all mail of that kind. */
export type MailPriority = 'interactive' | 'background';

/** The jobs that follow from an event; the application lists them in `src/event-routes.ts`. */
export abstract class EventRoutes {
  /** The event types that this version knows. */
  abstract types(): string[];
  /** The types of events with a job that sends mail. */
  abstract mailTypes(): string[];
  /** The names of the jobs of an event; empty when it has none. */
  abstract jobsOf(event: DomainEvent): string[];
  /** When a job is due (ms since 1970); null: immediately. */
  abstract dueAt(event: DomainEvent, job: string): number | null;
  /** Null for a job that sends no mail. Mail has its own queue, so that a slow mail server delays nothing else. */
  abstract mailPriority(event: DomainEvent, job: string): MailPriority | null;
  /** The command of a job. These commands are idempotent: a job may run twice. */
  abstract commandFor(event: DomainEvent, job: string): ICommand;
}
