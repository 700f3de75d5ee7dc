import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { changeChannel, listMapping } from '@yiqiao/contracts/plans';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { ChangeChannel } from './change-channel.js';
import { ListMapping } from './list-mapping.js';

@Controller()
export class ChannelController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(listMapping)
  listMapping(@Caller() caller: Caller) {
    return this.queries.execute(new ListMapping(caller.userId));
  }

  @Endpoint(changeChannel)
  changeChannel(
    @Caller() caller: Caller,
    @Input(changeChannel) input: InputOf<typeof changeChannel>,
    @Client() client: ClientInfo,
  ) {
    return this.commands.execute(new ChangeChannel(caller.userId, input.targetChannelId, client.language));
  }
}
