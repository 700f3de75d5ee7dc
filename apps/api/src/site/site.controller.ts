import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import {
  checkCustomerService,
  getDataConfig,
  listCustomerService,
  listServicePlatforms,
  saveDataConfig,
} from '@yiqiao/contracts/site';
import { Client, Endpoint, Input, Operator, type ClientInfo } from '../platform/endpoint.js';
import { CheckCustomerService } from './check-customer-service.js';
import { GetDataConfig } from './get-data-config.js';
import { ListCustomerService, ListServicePlatforms } from './list-customer-service.js';
import { SaveDataConfig, tokenAuthor } from './save-data-config.js';

@Controller()
export class SiteController {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
  ) {}

  @Endpoint(getDataConfig)
  getDataConfig(@Input(getDataConfig) { id }: InputOf<typeof getDataConfig>) {
    return this.queries.execute(new GetDataConfig(id));
  }

  @Endpoint(saveDataConfig)
  async saveDataConfig(
    @Input(saveDataConfig) input: InputOf<typeof saveDataConfig>,
    @Operator() operator: string,
    @Client() client: ClientInfo,
  ): Promise<true> {
    const author = tokenAuthor(operator, client);
    await this.commands.execute(new SaveDataConfig(input, { author, language: client.language }));
    return true;
  }

  @Endpoint(listServicePlatforms)
  listServicePlatforms() {
    return this.queries.execute(new ListServicePlatforms());
  }

  @Endpoint(listCustomerService)
  listCustomerService(@Input(listCustomerService) size: InputOf<typeof listCustomerService>) {
    return this.queries.execute(new ListCustomerService(size));
  }

  @Endpoint(checkCustomerService)
  checkCustomerService(
    @Input(checkCustomerService) input: InputOf<typeof checkCustomerService>,
    @Client() client: ClientInfo,
  ) {
    return this.queries.execute(new CheckCustomerService(input, client));
  }
}
