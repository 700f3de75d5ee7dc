import { Injectable } from '@nestjs/common';
import type { ICommand } from '@nestjs/cqrs';
import type { Fact, FactOf, FactType } from '@yiqiao/domain/facts';
import { GrantInviteReward } from './auth/grant-invite-reward.js';
import { SendPasswordNotice } from './auth/send-password-notice.js';
import { SendVerificationLetter } from './auth/send-verification-letter.js';
import { EraseAddresses } from './members/erase-addresses.js';
import { Deliveries } from './platform/deliveries.js';

/** What follows from what: the whole asynchronous story of the product, on one page. */
const deliveries: { [T in FactType]: Record<string, (fact: FactOf<T>) => ICommand> } = {
  MemberRegistered: { 'invite-reward': (fact) => new GrantInviteReward(fact.userId) },
  VerificationCodeIssued: { 'verification-letter': (fact) => new SendVerificationLetter(fact.codeId) },
  PasswordChanged: { 'password-notice': (fact) => new SendPasswordNotice(fact.userId) },
  SubAccountsDeleted: { 'erase-addresses': (fact) => new EraseAddresses(fact.familyId) },
  MemberLoggedOff: { 'erase-addresses': (fact) => new EraseAddresses(fact.userId) },
};

@Injectable()
export class ProductDeliveries extends Deliveries {
  types(): string[] {
    return Object.keys(deliveries);
  }

  namesFor(fact: Fact): string[] {
    return Object.keys(deliveries[fact.type]);
  }

  commandFor(fact: Fact, name: string): ICommand {
    const commands: Record<string, (fact: never) => ICommand> = deliveries[fact.type];
    const command = commands[name];
    if (!command) throw new Error(`Nothing called ${name} follows from ${fact.type}.`);
    return command(fact as never);
  }
}
