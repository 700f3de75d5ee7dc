import { Controller } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { getDataConfig } from '@yiqiao/contracts/site';
import { Endpoint, Input } from '../platform/endpoint.js';
import { GetDataConfig } from './get-data-config.js';

@Controller()
export class SiteController {
  constructor(private readonly queries: QueryBus) {}

  @Endpoint(getDataConfig)
  getDataConfig(@Input(getDataConfig) { id }: InputOf<typeof getDataConfig>) {
    return this.queries.execute(new GetDataConfig(id));
  }
}
