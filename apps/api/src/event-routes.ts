import { Injectable } from '@nestjs/common';
import type { ICommand } from '@nestjs/cqrs';
import type { DomainEvent, EventOf, EventType } from '@yiqiao/domain/events';
import { GrantInviteReward } from './auth/grant-invite-reward.js';
import { SendPasswordNotice, SendVerificationMail } from './auth/send-mail.js';
import { EraseGlossary } from './glossary/erase-glossary.js';
import { EraseAddresses } from './members/erase-addresses.js';
import { SendReminder } from './members/reminders/send-reminder.js';
import { RunAudit } from './operators/audits/run-audit.js';
import { RunWhatIf } from './operators/what-if/run-what-if.js';
import { PublishNotices } from './notices/publish-notices.js';
import { PollGateway } from './orders/poll-gateway.js';
import { CancelOpenOrders } from './orders/cancel-open-orders.js';
import { ExecuteRefund } from './orders/execute-refund.js';
import { PublishOrderUpdate } from './orders/publish-order-update.js';
import { TimeOutOrder } from './orders/time-out-order.js';
import { SendMail } from './platform/outgoing-mail.js';
import { EventRoutes, type MailPriority } from './platform/outbox.js';
import { TidyVendorTerms } from './translation/tidy-vendor-terms.js';
import { RaiseWebhooks } from './webhooks/raise-webhooks.js';

type CommandOf<E> = (event: E) => ICommand;
/** `at`: when it is due, ms since 1970. */
type DelayedJob<E> = { at: (event: E) => number; command: CommandOf<E> };
type MailJob<E> = { mail: MailPriority; command: CommandOf<E> };
type Job<E> = CommandOf<E> | DelayedJob<E> | MailJob<E>;

/** The jobs of each event: every asynchronous process of the product on one page. The names of jobs are stored in the outbox and in Redis. */
const routes: { [T in EventType]: Record<string, Job<EventOf<T>>> } = {
  MemberRegistered: { 'invite-reward': (event) => new GrantInviteReward(event.userId) },
  VerificationCodeIssued: {
    'verification-letter': { mail: 'interactive', command: (event) => new SendVerificationMail(event.codeId) },
  },
  PasswordChanged: {
    'password-notice': { mail: 'interactive', command: (event) => new SendPasswordNotice(event.userId) },
  },
  MailRecorded: { mail: { mail: 'interactive', command: (event) => new SendMail(event.mailId) } },
  SubAccountsDeleted: { 'erase-addresses': (event) => new EraseAddresses(event.familyId) },
  MemberLoggedOff: {
    'erase-addresses': (event) => new EraseAddresses(event.userId),
    'cancel-open-orders': (event) => new CancelOpenOrders(event.userId),
    'erase-glossary': (event) => new EraseGlossary(event.userId),
  },
  OrderPlaced: {
    'ask-gateway': { at: (event) => event.askAt, command: (event) => new PollGateway(event.orderId, 0) },
    'time-out-order': { at: (event) => event.expiresAt, command: (event) => new TimeOutOrder(event.orderId) },
  },
  OrderStillUnpaid: {
    'ask-gateway': { at: (event) => event.askAt, command: (event) => new PollGateway(event.orderId, event.asked) },
  },
  OrderChanged: {
    'tell-order': (event) => new PublishOrderUpdate(event.orderId),
    webhooks: (event) => new RaiseWebhooks(event),
  },
  GlossaryImported: { webhooks: (event) => new RaiseWebhooks(event) },
  QuotaLow: { webhooks: (event) => new RaiseWebhooks(event) },
  QuotaExhausted: { webhooks: (event) => new RaiseWebhooks(event) },
  PackageExpiring: { webhooks: (event) => new RaiseWebhooks(event) },
  ApiKeyCapped: { webhooks: (event) => new RaiseWebhooks(event) },
  GlossaryChanged: { 'tidy-vendor-terms': (event) => new TidyVendorTerms(event.familyId) },
  ReminderDue: {
    'reminder-letter': { mail: 'background', command: (event) => new SendReminder(event.reminderId) },
  },
  AuditRunRequested: { 'run-audit': (event) => new RunAudit(event.runId) },
  WhatIfRequested: { 'run-what-if': (event) => new RunWhatIf(event.whatIfId) },
  NoticeChanged: {
    'tell-notices': () => new PublishNotices(),
    'show-notice': { at: (event) => event.startsAt, command: () => new PublishNotices() },
    'take-notice-away': { at: (event) => event.endsAt ?? event.startsAt, command: () => new PublishNotices() },
  },
  RefundStarted: { 'carry-out-refund': (event) => new ExecuteRefund(event.paymentId) },
};

@Injectable()
export class ProductEventRoutes extends EventRoutes {
  types(): string[] {
    return Object.keys(routes);
  }

  mailTypes(): string[] {
    return this.types().filter((type) => Object.values(routes[type as EventType]).some((job) => 'mail' in job));
  }

  jobsOf(event: DomainEvent): string[] {
    return Object.keys(routes[event.type]);
  }

  dueAt(event: DomainEvent, name: string): number | null {
    const job = this.#find(event, name);
    return 'at' in job ? job.at(event as never) : null;
  }

  mailPriority(event: DomainEvent, name: string): MailPriority | null {
    const job = this.#find(event, name);
    return 'mail' in job ? job.mail : null;
  }

  commandFor(event: DomainEvent, name: string): ICommand {
    const job = this.#find(event, name);
    return typeof job === 'function' ? job(event as never) : job.command(event as never);
  }

  #find(event: DomainEvent, name: string): Job<never> {
    const jobs: Record<string, Job<never>> = routes[event.type];
    const job = jobs[name];
    if (!job) throw new Error(`${event.type} has no job ${name}.`);
    return job;
  }
}
