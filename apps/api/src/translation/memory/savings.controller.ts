import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { forgetTranslations, getSavings } from '@yiqiao/contracts/savings';
import { Caller, Endpoint, Input } from '../../platform/endpoint.js';
import { ForgetTranslations } from './translation-cache.js';
import { GetSavings } from './savings.js';

@Controller()
export class SavingsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(getSavings)
  savings(@Input(getSavings) { days }: InputOf<typeof getSavings>, @Caller() caller: Caller) {
    return this.queries.execute(new GetSavings(caller, days));
  }

  @Endpoint(forgetTranslations)
  forget(@Caller() caller: Caller) {
    return this.commands.execute(new ForgetTranslations(caller));
  }
}
