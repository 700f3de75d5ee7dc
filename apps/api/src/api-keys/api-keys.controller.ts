import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  createApiKey,
  exportApiKeyUsage,
  getApiKey,
  getApiKeyUsage,
  listApiKeys,
  revokeApiKeys,
  rotateApiKey,
  updateApiKey,
} from '@yiqiao/contracts/api-keys';
import type { Input as InputOf } from '@yiqiao/contracts/endpoint';
import { readUsage } from '@yiqiao/contracts/native-api';
import { Caller, Client, type ClientInfo, Endpoint, Input } from '../platform/endpoint.js';
import { ExportApiKeyUsage, GetApiKeyUsage } from './api-key-usage.js';
import { CreateApiKey, RevokeApiKeys, RotateApiKey, UpdateApiKey } from './change-api-keys.js';
import { GetApiKey, ListApiKeys } from './list-api-keys.js';
import { ReadUsage } from './read-usage.js';

@Controller()
export class ApiKeysController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Endpoint(listApiKeys)
  list(@Caller() caller: Caller, @Input(listApiKeys) input: InputOf<typeof listApiKeys>) {
    return this.queries.execute(new ListApiKeys(caller, input));
  }

  @Endpoint(getApiKey)
  get(@Caller() caller: Caller, @Input(getApiKey) { id }: InputOf<typeof getApiKey>) {
    return this.queries.execute(new GetApiKey(caller, id));
  }

  @Endpoint(createApiKey)
  create(@Caller() caller: Caller, @Input(createApiKey) input: InputOf<typeof createApiKey>) {
    return this.commands.execute(new CreateApiKey(caller, input));
  }

  @Endpoint(updateApiKey)
  update(@Caller() caller: Caller, @Input(updateApiKey) input: InputOf<typeof updateApiKey>) {
    return this.commands.execute(new UpdateApiKey(caller, input));
  }

  @Endpoint(rotateApiKey)
  rotate(@Caller() caller: Caller, @Input(rotateApiKey) input: InputOf<typeof rotateApiKey>) {
    return this.commands.execute(new RotateApiKey(caller, input));
  }

  @Endpoint(revokeApiKeys)
  revoke(@Caller() caller: Caller, @Input(revokeApiKeys) { ids }: InputOf<typeof revokeApiKeys>) {
    return this.commands.execute(new RevokeApiKeys(caller, ids));
  }

  @Endpoint(getApiKeyUsage)
  usage(@Caller() caller: Caller, @Input(getApiKeyUsage) input: InputOf<typeof getApiKeyUsage>) {
    return this.queries.execute(new GetApiKeyUsage(caller, input));
  }

  @Endpoint(exportApiKeyUsage)
  exportUsage(
    @Caller() caller: Caller,
    @Input(exportApiKeyUsage) input: InputOf<typeof exportApiKeyUsage>,
    @Client() { language }: ClientInfo,
  ) {
    return this.queries.execute(new ExportApiKeyUsage(caller, input, language));
  }

  @Endpoint(readUsage)
  ownUsage(@Caller() caller: Caller) {
    return this.queries.execute(new ReadUsage(caller));
  }
}
