import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  changeAutoDistribution,
  changeEnabled,
  changeManyEnabled,
  deleteChildUsers,
  distributeAll,
  distributeChars,
  distributeToMany,
  distributeVoice,
  getChildUser,
  listChildUsers,
  resetChildPassword,
  saveChildUser,
} from '@yiqiao/contracts/sub-accounts';
import { Refusal } from '@yiqiao/domain/errors';
import type { Quota } from '@yiqiao/domain/ledger';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { DeleteChildUsers } from './delete-child-users.js';
import { DistributeToMany } from './distribute-to-many.js';
import { Distribute } from './distribute.js';
import { SaveChildUser } from './save-child-user.js';
import { GetChildUser, ListChildUsers } from './sub-account-queries.js';
import {
  ChangeAutoDistribution,
  ChangeEnabled,
  ChangeManyEnabled,
  ResetChildPassword,
} from './sub-account-settings.js';

/** The contracts allow main accounts only, so the caller's id is the main account's. */
@Controller()
export class SubAccountsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(listChildUsers)
  list(@Caller() caller: Caller, @Input(listChildUsers) input: InputOf<typeof listChildUsers>) {
    return this.queries.execute(new ListChildUsers(caller.userId, input));
  }

  @Endpoint(getChildUser)
  get(@Caller() caller: Caller, @Input(getChildUser) { userId }: InputOf<typeof getChildUser>) {
    return this.queries.execute(new GetChildUser(caller.userId, userId));
  }

  @Endpoint(saveChildUser)
  save(@Caller() caller: Caller, @Input(saveChildUser) form: InputOf<typeof saveChildUser>) {
    return this.commands.execute(new SaveChildUser(caller.userId, form));
  }

  @Endpoint(resetChildPassword)
  resetPassword(@Caller() caller: Caller, @Input(resetChildPassword) input: InputOf<typeof resetChildPassword>) {
    const { userId, password } = input;
    return this.commands.execute(new ResetChildPassword({ mainId: caller.userId, userId }, password));
  }

  @Endpoint(changeEnabled)
  changeEnabled(@Caller() caller: Caller, @Input(changeEnabled) input: InputOf<typeof changeEnabled>) {
    const { userId, enabled } = input;
    return this.commands.execute(new ChangeEnabled({ mainId: caller.userId, userId }, enabled));
  }

  @Endpoint(changeManyEnabled)
  changeManyEnabled(@Caller() caller: Caller, @Input(changeManyEnabled) input: InputOf<typeof changeManyEnabled>) {
    const { enabled, childrenIds, account } = input;
    return this.commands.execute(new ChangeManyEnabled(caller.userId, { childrenIds, account }, enabled));
  }

  @Endpoint(changeAutoDistribution)
  changeAutoDistribution(
    @Caller() caller: Caller,
    @Input(changeAutoDistribution) input: InputOf<typeof changeAutoDistribution>,
  ) {
    const { userId, autoDistribution } = input;
    return this.commands.execute(new ChangeAutoDistribution({ mainId: caller.userId, userId }, autoDistribution));
  }

  @Endpoint(deleteChildUsers)
  delete(@Caller() caller: Caller, @Input(deleteChildUsers) input: InputOf<typeof deleteChildUsers>) {
    const { userId, childrenIds = [] } = input;
    return this.commands.execute(new DeleteChildUsers(caller.userId, userId === undefined ? childrenIds : [userId]));
  }

  @Endpoint(distributeChars)
  distributeChars(
    @Caller() caller: Caller,
    @Input(distributeChars) input: InputOf<typeof distributeChars>,
    @Client() client: ClientInfo,
  ) {
    return this.#distribute({ caller, client, route: distributeChars.path }, input.childUserId, {
      charNum: input.changeCharNum,
    });
  }

  @Endpoint(distributeVoice)
  distributeVoice(
    @Caller() caller: Caller,
    @Input(distributeVoice) input: InputOf<typeof distributeVoice>,
    @Client() client: ClientInfo,
  ) {
    return this.#distribute({ caller, client, route: distributeVoice.path }, input.childUserId, {
      voiceNum: input.changeVoiceNum,
    });
  }

  @Endpoint(distributeAll)
  distributeAll(
    @Caller() caller: Caller,
    @Input(distributeAll) input: InputOf<typeof distributeAll>,
    @Client() client: ClientInfo,
  ) {
    const change = { charNum: input.changeCharNum, voiceNum: input.changeVoiceNum, imageNum: input.changeImageNum };
    const takeBackAll = [...new Set(input.takeBackAll)].sort();
    const twice = takeBackAll.find((quantity) => change[quantity] !== 0);
    if (twice !== undefined)
      throw new Refusal('VALIDATION_FAILED', { errors: [{ path: 'takeBackAll', code: 'ONE_OF_TWO' }] });
    return this.#distribute({ caller, client, route: distributeAll.path }, input.childUserId, change, takeBackAll);
  }

  @Endpoint(distributeToMany)
  distributeToMany(
    @Caller() caller: Caller,
    @Input(distributeToMany) input: InputOf<typeof distributeToMany>,
    @Client() client: ClientInfo,
  ) {
    const { childrenIds, account, mode, charNum, voiceNum, imageNum } = input;
    const request = { route: distributeToMany.path, idempotencyKey: client.idempotencyKey };
    const share = { mode, amount: { charNum: charNum + 0, voiceNum: voiceNum + 0, imageNum: imageNum + 0 } };
    return this.commands.execute(new DistributeToMany(caller.userId, { childrenIds, account }, share, request));
  }

  #distribute(
    { caller, client, route }: { caller: Caller; client: ClientInfo; route: string },
    userId: number,
    { charNum = 0, voiceNum = 0, imageNum = 0 }: Partial<Quota>,
    takeBackAll: readonly (keyof Quota)[] = [],
  ) {
    // JSON has −0, the ledger does not: + 0 turns it into 0.
    const change: Quota = { charNum: charNum + 0, voiceNum: voiceNum + 0, imageNum: imageNum + 0 };
    const request = { route, idempotencyKey: client.idempotencyKey };
    return this.commands.execute(new Distribute({ mainId: caller.userId, userId }, change, request, takeBackAll));
  }
}
