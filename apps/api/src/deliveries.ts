import { Injectable } from '@nestjs/common';
import type { ICommand } from '@nestjs/cqrs';
import type { Fact, FactOf, FactType } from '@yiqiao/domain/facts';
import { GrantInviteReward } from './auth/grant-invite-reward.js';
import { SendPasswordNotice } from './auth/send-password-notice.js';
import { SendVerificationLetter } from './auth/send-verification-letter.js';
import { EraseGlossary } from './glossary/erase-glossary.js';
import { EraseAddresses } from './members/erase-addresses.js';
import { SendReminder } from './members/reminders/send-reminder.js';
import { TellNotices } from './notices/tell-notices.js';
import { AskGateway } from './orders/ask-gateway.js';
import { CancelOpenOrders } from './orders/cancel-open-orders.js';
import { CarryOutRefund } from './orders/carry-out-refund.js';
import { TellOrder } from './orders/tell-order.js';
import { TimeOutOrder } from './orders/time-out-order.js';
import { Deliveries, type LetterHaste } from './platform/deliveries.js';
import { TidyVendorTerms } from './translation/tidy-vendor-terms.js';

type Follows<F> = (fact: F) => ICommand;
/** `at`: when it is due, ms since 1970. */
type FollowsLater<F> = { at: (fact: F) => number; command: Follows<F> };
type FollowsByMail<F> = { letter: LetterHaste; command: Follows<F> };
type Delivery<F> = Follows<F> | FollowsLater<F> | FollowsByMail<F>;

/** What follows from what: the whole asynchronous story of the product, on one page. */
const deliveries: { [T in FactType]: Record<string, Delivery<FactOf<T>>> } = {
  MemberRegistered: { 'invite-reward': (fact) => new GrantInviteReward(fact.userId) },
  VerificationCodeIssued: {
    'verification-letter': { letter: 'awaited', command: (fact) => new SendVerificationLetter(fact.codeId) },
  },
  PasswordChanged: {
    'password-notice': { letter: 'awaited', command: (fact) => new SendPasswordNotice(fact.userId) },
  },
  SubAccountsDeleted: { 'erase-addresses': (fact) => new EraseAddresses(fact.familyId) },
  MemberLoggedOff: {
    'erase-addresses': (fact) => new EraseAddresses(fact.userId),
    'cancel-open-orders': (fact) => new CancelOpenOrders(fact.userId),
    'erase-glossary': (fact) => new EraseGlossary(fact.userId),
  },
  OrderPlaced: {
    'ask-gateway': { at: (fact) => fact.askAt, command: (fact) => new AskGateway(fact.orderId, 0) },
    'time-out-order': { at: (fact) => fact.expiresAt, command: (fact) => new TimeOutOrder(fact.orderId) },
  },
  OrderStillUnpaid: {
    'ask-gateway': { at: (fact) => fact.askAt, command: (fact) => new AskGateway(fact.orderId, fact.asked) },
  },
  OrderChanged: { 'tell-order': (fact) => new TellOrder(fact.orderId) },
  GlossaryChanged: { 'tidy-vendor-terms': (fact) => new TidyVendorTerms(fact.familyId) },
  ReminderDue: {
    'reminder-letter': { letter: 'patient', command: (fact) => new SendReminder(fact.reminderId) },
  },
  NoticeChanged: {
    'tell-notices': () => new TellNotices(),
    'show-notice': { at: (fact) => fact.startsAt, command: () => new TellNotices() },
    'take-notice-away': { at: (fact) => fact.endsAt ?? fact.startsAt, command: () => new TellNotices() },
  },
  RefundStarted: { 'carry-out-refund': (fact) => new CarryOutRefund(fact.paymentId) },
};

@Injectable()
export class ProductDeliveries extends Deliveries {
  types(): string[] {
    return Object.keys(deliveries);
  }

  namesFor(fact: Fact): string[] {
    return Object.keys(deliveries[fact.type]);
  }

  dueAt(fact: Fact, name: string): number | null {
    const delivery = this.#find(fact, name);
    return 'at' in delivery ? delivery.at(fact as never) : null;
  }

  letterOf(fact: Fact, name: string): LetterHaste | null {
    const delivery = this.#find(fact, name);
    return 'letter' in delivery ? delivery.letter : null;
  }

  commandFor(fact: Fact, name: string): ICommand {
    const delivery = this.#find(fact, name);
    return typeof delivery === 'function' ? delivery(fact as never) : delivery.command(fact as never);
  }

  #find(fact: Fact, name: string): Delivery<never> {
    const all: Record<string, Delivery<never>> = deliveries[fact.type];
    const delivery = all[name];
    if (!delivery) throw new Error(`Nothing called ${name} follows from ${fact.type}.`);
    return delivery;
  }
}
