import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { exportLoginLogs, getLoginLog, listLoginLogs } from '@yiqiao/contracts/login-log';
import { changeChannel, listMapping } from '@yiqiao/contracts/plans';
import { changeReminders } from '@yiqiao/contracts/reminders';
import { changeFailover, changeTranslationCache, deleteUser, getUser, updateUser } from '@yiqiao/contracts/user';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { ChangeChannel } from './change-channel.js';
import { ExportLoginLogs } from './export-login-logs.js';
import { GetUser } from './get-user.js';
import { ListMapping } from './list-mapping.js';
import { LogOff } from './log-off.js';
import { GetLoginLog, ListLoginLogs } from './login-log-queries.js';
import { ChangeFailover, ChangeTranslationCache, UpdateNickname } from './member-settings.js';
import { ChangeReminders } from './reminders/reminder-settings.js';

@Controller()
export class MembersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(getUser)
  get(@Caller() caller: Caller) {
    return this.queries.execute(new GetUser(caller.userId));
  }

  @Endpoint(updateUser)
  update(@Caller() caller: Caller, @Input(updateUser) input: InputOf<typeof updateUser>) {
    return this.commands.execute(new UpdateNickname(caller.userId, input.nickname));
  }

  @Endpoint(changeFailover)
  changeFailover(@Caller() caller: Caller, @Input(changeFailover) input: InputOf<typeof changeFailover>) {
    return this.commands.execute(new ChangeFailover(caller.userId, input.channelFailover));
  }

  @Endpoint(changeTranslationCache)
  changeTranslationCache(
    @Caller() caller: Caller,
    @Input(changeTranslationCache) input: InputOf<typeof changeTranslationCache>,
  ) {
    return this.commands.execute(new ChangeTranslationCache(caller.userId, input.translationCache));
  }

  @Endpoint(changeReminders)
  changeReminders(@Caller() caller: Caller, @Input(changeReminders) input: InputOf<typeof changeReminders>) {
    return this.commands.execute(new ChangeReminders({ id: caller.userId, isMain: caller.isMain }, input));
  }

  @Endpoint(deleteUser)
  logOff(@Caller() caller: Caller, @Input(deleteUser) input: InputOf<typeof deleteUser>) {
    return this.commands.execute(new LogOff(caller.userId, input.userPassword));
  }

  @Endpoint(getLoginLog)
  getLoginLog(@Caller() caller: Caller, @Input(getLoginLog) input: InputOf<typeof getLoginLog>) {
    return this.queries.execute(new GetLoginLog(caller.userId, input.id));
  }

  @Endpoint(listLoginLogs)
  listLoginLogs(@Caller() caller: Caller, @Input(listLoginLogs) input: InputOf<typeof listLoginLogs>) {
    return this.queries.execute(new ListLoginLogs(caller.userId, input));
  }

  @Endpoint(exportLoginLogs)
  exportLoginLogs(
    @Caller() caller: Caller,
    @Input(exportLoginLogs) filter: InputOf<typeof exportLoginLogs>,
    @Client() client: ClientInfo,
  ) {
    return this.queries.execute(new ExportLoginLogs(caller, filter, client.language));
  }

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
