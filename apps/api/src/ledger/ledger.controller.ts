import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { exportAccountLogs, listAccountLogs, totalAccountLogs } from '@yiqiao/contracts/account-log';
import { listPublicCloses } from '@yiqiao/contracts/closes';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import { getUsage } from '@yiqiao/contracts/user';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { ListPublicCloses } from './closes/list-closes.js';
import { ExportAccountLogs } from './log/export-account-logs.js';
import { GetUsage } from './usage/get-usage.js';
import { ListAccountLogs } from './log/list-account-logs.js';
import { TotalAccountLogs } from './log/total-account-logs.js';

@Controller()
export class LedgerController {
  constructor(private readonly queries: QueryBus) {}

  @Endpoint(listAccountLogs)
  list(
    @Caller() caller: Caller,
    @Input(listAccountLogs) filter: InputOf<typeof listAccountLogs>,
    @Client() client: ClientInfo,
  ): Promise<Answer<typeof listAccountLogs>> {
    return this.queries.execute(new ListAccountLogs(caller.userId, filter, client.language));
  }

  @Endpoint(totalAccountLogs)
  totals(@Caller() caller: Caller, @Input(totalAccountLogs) filter: InputOf<typeof totalAccountLogs>) {
    return this.queries.execute(new TotalAccountLogs(caller.userId, filter));
  }

  @Endpoint(exportAccountLogs)
  export(
    @Caller() caller: Caller,
    @Input(exportAccountLogs) filter: InputOf<typeof exportAccountLogs>,
    @Client() client: ClientInfo,
  ) {
    return this.queries.execute(new ExportAccountLogs(caller, filter, client.language));
  }

  @Endpoint(getUsage)
  usage(
    @Caller() caller: Caller,
    @Input(getUsage) { days }: InputOf<typeof getUsage>,
    @Client() { language }: ClientInfo,
  ): Promise<Answer<typeof getUsage>> {
    return this.queries.execute(new GetUsage(caller, { days, language }));
  }

  @Endpoint(listPublicCloses)
  closes(@Input(listPublicCloses) request: InputOf<typeof listPublicCloses>): Promise<Answer<typeof listPublicCloses>> {
    return this.queries.execute(new ListPublicCloses(request));
  }
}
