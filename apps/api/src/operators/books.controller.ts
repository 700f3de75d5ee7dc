import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Answer, Input as InputOf } from '@yiqiao/contracts/endpoint';
import { getClose, getSeal, listCloses, verifyClose } from '@yiqiao/contracts/operator/closes';
import {
  getTrialBalance,
  listHeldByFamily,
  listHeldByPlan,
  listTrialDays,
  listTrialEntries,
} from '@yiqiao/contracts/operator/trial-balance';
import { GetSeal } from '../ledger/closes/get-seal.js';
import { GetClose, ListCloses } from '../ledger/closes/list-closes.js';
import { VerifyCloses } from '../ledger/closes/verify-closes.js';
import {
  ListHeldByFamily,
  ListHeldByPlan,
  ListTrialDays,
  ListTrialEntries,
} from '../ledger/trial-balance/break-down.js';
import { GetTrialBalance } from '../ledger/trial-balance/trial-balance.js';
import { Endpoint, Input } from '../platform/endpoint.js';

/** The trial balance and the daily closes (operators §7). */
@Controller()
export class BooksController {
  constructor(private readonly queries: QueryBus) {}

  @Endpoint(listCloses)
  closes(@Input(listCloses) request: InputOf<typeof listCloses>): Promise<Answer<typeof listCloses>> {
    return this.queries.execute(new ListCloses(request));
  }

  @Endpoint(getClose)
  close(@Input(getClose) { date }: InputOf<typeof getClose>): Promise<Answer<typeof getClose>> {
    return this.queries.execute(new GetClose(date));
  }

  @Endpoint(getSeal)
  seal(@Input(getSeal) request: InputOf<typeof getSeal>): Promise<Answer<typeof getSeal>> {
    return this.queries.execute(new GetSeal(request));
  }

  @Endpoint(verifyClose)
  verify(@Input(verifyClose) request: InputOf<typeof verifyClose>): Promise<Answer<typeof verifyClose>> {
    return this.queries.execute(new VerifyCloses(request));
  }

  @Endpoint(getTrialBalance)
  balance(@Input(getTrialBalance) request: InputOf<typeof getTrialBalance>): Promise<Answer<typeof getTrialBalance>> {
    return this.queries.execute(new GetTrialBalance(request));
  }

  @Endpoint(listHeldByPlan)
  plans(@Input(listHeldByPlan) request: InputOf<typeof listHeldByPlan>): Promise<Answer<typeof listHeldByPlan>> {
    return this.queries.execute(new ListHeldByPlan(request));
  }

  @Endpoint(listHeldByFamily)
  families(
    @Input(listHeldByFamily) request: InputOf<typeof listHeldByFamily>,
  ): Promise<Answer<typeof listHeldByFamily>> {
    return this.queries.execute(new ListHeldByFamily(request));
  }

  @Endpoint(listTrialDays)
  days(@Input(listTrialDays) request: InputOf<typeof listTrialDays>): Promise<Answer<typeof listTrialDays>> {
    return this.queries.execute(new ListTrialDays(request));
  }

  @Endpoint(listTrialEntries)
  entries(
    @Input(listTrialEntries) request: InputOf<typeof listTrialEntries>,
  ): Promise<Answer<typeof listTrialEntries>> {
    return this.queries.execute(new ListTrialEntries(request));
  }
}
