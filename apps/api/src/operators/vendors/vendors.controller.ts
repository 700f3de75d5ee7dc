import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import { createVendorBill, getMargin, listVendorBills, voidVendorBill } from '@yiqiao/contracts/operator/margin';
import {
  addVendorAccount,
  changeVendorAccount,
  listVendorAccounts,
  pauseVendorAccount,
  removeVendorAccount,
  resumeVendorAccount,
  setVendorKey,
  testVendorAccount,
} from '@yiqiao/contracts/operator/vendors';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import { actorOf, type CurrentOperator } from '../operator-sessions.js';
import { GetMargin } from './get-margin.js';
import { CreateVendorBill, ListVendorBills, VoidVendorBill } from './vendor-bills.js';
import { ChangeVendorAccount, type VendorAccountChange } from './change-vendor-account.js';
import { ListVendorAccounts } from './list-vendor-accounts.js';
import { TestVendorAccount } from './test-vendor-account.js';

/** Accounts at vendors (operators §9). */
@Controller()
export class VendorsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(listVendorAccounts)
  list(@Client() { language }: ClientInfo): Promise<Answer<typeof listVendorAccounts>> {
    return this.queries.execute(new ListVendorAccounts(language));
  }

  @Endpoint(addVendorAccount)
  add(
    @Input(addVendorAccount) input: InputOf<typeof addVendorAccount>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<{ id: number }> {
    return this.#change({ do: 'add', ...input }, operator, client);
  }

  @Endpoint(changeVendorAccount)
  change(
    @Input(changeVendorAccount) input: InputOf<typeof changeVendorAccount>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<{ id: number }> {
    return this.#change({ do: 'change', ...input }, operator, client);
  }

  @Endpoint(setVendorKey)
  setKey(
    @Input(setVendorKey) input: InputOf<typeof setVendorKey>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<{ id: number }> {
    return this.#change({ do: 'setKey', ...input }, operator, client);
  }

  @Endpoint(pauseVendorAccount)
  async pause(
    @Input(pauseVendorAccount) input: InputOf<typeof pauseVendorAccount>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<true> {
    await this.#change({ do: 'pause', ...input }, operator, client);
    return true;
  }

  @Endpoint(resumeVendorAccount)
  async resume(
    @Input(resumeVendorAccount) input: InputOf<typeof resumeVendorAccount>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<true> {
    await this.#change({ do: 'resume', ...input }, operator, client);
    return true;
  }

  @Endpoint(removeVendorAccount)
  async remove(
    @Input(removeVendorAccount) input: InputOf<typeof removeVendorAccount>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<true> {
    await this.#change({ do: 'remove', ...input }, operator, client);
    return true;
  }

  @Endpoint(testVendorAccount)
  test(
    @Input(testVendorAccount) { id }: InputOf<typeof testVendorAccount>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof testVendorAccount>> {
    return this.commands.execute(new TestVendorAccount(id, actorOf(operator, client)));
  }

  @Endpoint(getMargin)
  margin(
    @Input(getMargin) request: InputOf<typeof getMargin>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof getMargin>> {
    return this.queries.execute(new GetMargin(request, language));
  }

  @Endpoint(listVendorBills)
  bills(
    @Input(listVendorBills) request: InputOf<typeof listVendorBills>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof listVendorBills>> {
    return this.queries.execute(new ListVendorBills(request, language));
  }

  @Endpoint(createVendorBill)
  enterBill(
    @Input(createVendorBill) bill: InputOf<typeof createVendorBill>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<{ id: number }> {
    return this.commands.execute(new CreateVendorBill(bill, actorOf(operator, client)));
  }

  @Endpoint(voidVendorBill)
  async voidBill(
    @Input(voidVendorBill) { id, reason }: InputOf<typeof voidVendorBill>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<true> {
    await this.commands.execute(new VoidVendorBill(id, reason, actorOf(operator, client)));
    return true;
  }

  #change(change: VendorAccountChange, operator: CurrentOperator, client: ClientInfo): Promise<{ id: number }> {
    return this.commands.execute(new ChangeVendorAccount(change, actorOf(operator, client)));
  }
}
