import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import { getSystem, getToday, listChannelTraffic, listTasks } from '@yiqiao/contracts/operator/today';
import { getSystemDetails } from '@yiqiao/contracts/operator/system';
import { Client, type ClientInfo, Endpoint, Input } from '../../platform/endpoint.js';
import { CurrentOperatorOf } from '../operator-guard.js';
import type { CurrentOperator } from '../operator-sessions.js';
import { GetSystem } from './get-system.js';
import { GetSystemDetails } from './get-system-details.js';
import { GetToday } from './get-today.js';
import { ListChannelTraffic } from './list-channel-traffic.js';
import { ListTasks } from './list-tasks.js';

/** What waits, and how the day goes. */
@Controller()
export class TodayController {
  constructor(private readonly queries: QueryBus) {}

  @Endpoint(getToday)
  today(@Input(getToday) { range }: InputOf<typeof getToday>): Promise<Answer<typeof getToday>> {
    return this.queries.execute(new GetToday(range));
  }

  @Endpoint(listTasks)
  tasks(
    @CurrentOperatorOf() operator: CurrentOperator,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof listTasks>> {
    return this.queries.execute(new ListTasks(operator, language));
  }

  @Endpoint(listChannelTraffic)
  channels(@Client() { language }: ClientInfo): Promise<Answer<typeof listChannelTraffic>> {
    return this.queries.execute(new ListChannelTraffic(language));
  }

  @Endpoint(getSystem)
  system(): Promise<Answer<typeof getSystem>> {
    return this.queries.execute(new GetSystem());
  }

  @Endpoint(getSystemDetails)
  systemDetails(): Promise<Answer<typeof getSystemDetails>> {
    return this.queries.execute(new GetSystemDetails());
  }
}
