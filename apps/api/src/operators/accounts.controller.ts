import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  checkProof,
  exportProof,
  getAccount,
  getAccountState,
  getCause,
  getCommand,
  getDifference,
  getTimeline,
  listEntries,
} from '@yiqiao/contracts/operator/accounts';
import {
  getFamilyDifference,
  getFamilyState,
  getFamilyTimeline,
  listFamilyMoves,
} from '@yiqiao/contracts/operator/families';
import { CheckProof } from '../ledger/time-machine/check-proof.js';
import { GetCommand } from '../ledger/time-machine/command-entries.js';
import { GetAccount } from '../ledger/time-machine/get-account.js';
import { GetAccountState } from '../ledger/time-machine/get-account-state.js';
import { GetCause } from '../ledger/time-machine/get-cause.js';
import { GetDifference } from '../ledger/time-machine/get-difference.js';
import { GetFamilyDifference, GetFamilyState, GetFamilyTimeline } from '../ledger/time-machine/get-family.js';
import { GetTimeline } from '../ledger/time-machine/get-timeline.js';
import { ListEntries } from '../ledger/time-machine/list-entries.js';
import { ListFamilyMoves } from '../ledger/time-machine/list-family-moves.js';
import { Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import type { FileAnswer } from '../platform/file-answer.js';
import { ExportProof } from './export-proof.js';
import { CurrentOperatorOf } from './operator-guard.js';
import { actorOf, type CurrentOperator } from './operator-sessions.js';

/** The time machine (operators §6). */
@Controller()
export class AccountsController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
  ) {}

  @Endpoint(getAccount)
  account(
    @Input(getAccount) { userId }: InputOf<typeof getAccount>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof getAccount>> {
    return this.queries.execute(new GetAccount(userId, language));
  }

  @Endpoint(getCommand)
  command(
    @Input(getCommand) { cmdId }: InputOf<typeof getCommand>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof getCommand>> {
    return this.queries.execute(new GetCommand(cmdId, language));
  }

  @Endpoint(getCause)
  cause(
    @Input(getCause) { id }: InputOf<typeof getCause>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof getCause>> {
    return this.queries.execute(new GetCause(id, language));
  }

  @Endpoint(getAccountState)
  state(
    @Input(getAccountState) request: InputOf<typeof getAccountState>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof getAccountState>> {
    return this.queries.execute(new GetAccountState(request, language));
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

  @Endpoint(getFamilyState)
  familyState(
    @Input(getFamilyState) request: InputOf<typeof getFamilyState>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof getFamilyState>> {
    return this.queries.execute(new GetFamilyState(request, language));
  }

  @Endpoint(getFamilyTimeline)
  familyTimeline(
    @Input(getFamilyTimeline) request: InputOf<typeof getFamilyTimeline>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof getFamilyTimeline>> {
    return this.queries.execute(new GetFamilyTimeline(request, language));
  }

  @Endpoint(listFamilyMoves)
  familyMoves(
    @Input(listFamilyMoves) request: InputOf<typeof listFamilyMoves>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof listFamilyMoves>> {
    return this.queries.execute(new ListFamilyMoves(request, language));
  }

  @Endpoint(getFamilyDifference)
  familyDifference(
    @Input(getFamilyDifference) request: InputOf<typeof getFamilyDifference>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof getFamilyDifference>> {
    return this.queries.execute(new GetFamilyDifference(request, language));
  }

  @Endpoint(exportProof)
  export(
    @Input(exportProof) { userId }: InputOf<typeof exportProof>,
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() client: ClientInfo,
  ): Promise<FileAnswer> {
    return this.commands.execute(new ExportProof(userId, operator, actorOf(operator, client)));
  }
}
