import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  checkProof,
  getAccountState,
  getDifference,
  getTimeline,
  listEntries,
} from '@yiqiao/contracts/operator/accounts';
import { CheckProof } from '../ledger/time-machine/check-proof.js';
import { GetAccountState } from '../ledger/time-machine/get-account-state.js';
import { GetDifference } from '../ledger/time-machine/get-difference.js';
import { GetTimeline } from '../ledger/time-machine/get-timeline.js';
import { ListEntries } from '../ledger/time-machine/list-entries.js';
import { Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';

/** The time machine (operators §6). */
@Controller()
export class AccountsController {
  constructor(private readonly queries: QueryBus) {}

  @Endpoint(getAccountState)
  state(@Input(getAccountState) request: InputOf<typeof getAccountState>): Promise<Answer<typeof getAccountState>> {
    return this.queries.execute(new GetAccountState(request));
  }

  @Endpoint(getTimeline)
  timeline(@Input(getTimeline) request: InputOf<typeof getTimeline>): Promise<Answer<typeof getTimeline>> {
    return this.queries.execute(new GetTimeline(request));
  }

  @Endpoint(getDifference)
  difference(
    @Input(getDifference) request: InputOf<typeof getDifference>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof getDifference>> {
    return this.queries.execute(new GetDifference(request, language));
  }

  @Endpoint(listEntries)
  entries(
    @Input(listEntries) request: InputOf<typeof listEntries>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof listEntries>> {
    return this.queries.execute(new ListEntries(request, language));
  }

  @Endpoint(checkProof)
  proof(@Input(checkProof) request: InputOf<typeof checkProof>): Promise<Answer<typeof checkProof>> {
    return this.queries.execute(new CheckProof(request));
  }
}
