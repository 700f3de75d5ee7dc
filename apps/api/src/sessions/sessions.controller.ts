import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import { endSession, listSessions, openView, signOutEverywhere } from '@yiqiao/contracts/sessions';
import { RateLimits } from '../platform/rate-limits.js';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { EndSession, SignOutEverywhere } from './end-sessions.js';
import { OpenView } from './open-view.js';
import { ListSessions } from './list-sessions.js';

@Controller()
export class SessionsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly limits: RateLimits,
  ) {}

  @Endpoint(listSessions)
  list(@Caller() caller: Caller) {
    return this.queries.execute(new ListSessions(caller.userId, caller.sessionDigest));
  }

  @Endpoint(openView)
  async openView(
    @Input(openView) { token }: InputOf<typeof openView>,
    @Client() { ip }: ClientInfo,
  ): Promise<Answer<typeof openView>> {
    await this.limits.take('lookupsPerIp', ip);
    return this.commands.execute(new OpenView(token));
  }

  @Endpoint(endSession)
  end(@Caller() caller: Caller, @Input(endSession) input: InputOf<typeof endSession>) {
    return this.commands.execute(new EndSession(caller.userId, input.id));
  }

  @Endpoint(signOutEverywhere)
  signOutEverywhere(@Caller() caller: Caller, @Input(signOutEverywhere) input: InputOf<typeof signOutEverywhere>) {
    const kept = input.keepCurrent === 1 ? caller.sessionDigest : null;
    return this.commands.execute(new SignOutEverywhere(caller.userId, kept));
  }
}
