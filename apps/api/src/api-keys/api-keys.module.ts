import { Global, Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MembersModule } from '../members/members.module.js';
import { ApiKeyReader } from '../platform/api-key-reader.js';
import { PlansModule } from '../plans/plans.module.js';
import { ExportApiKeyUsageHandler, GetApiKeyUsageHandler } from './api-key-usage.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeys } from './api-keys.js';
import {
  CreateApiKeyHandler,
  RevokeApiKeysHandler,
  RotateApiKeyHandler,
  UpdateApiKeyHandler,
} from './change-api-keys.js';
import { GetApiKeyHandler, ListApiKeysHandler } from './list-api-keys.js';
import { PruneApiKeysHandler } from './prune-api-keys.js';
import { ReadUsageHandler } from './read-usage.js';

/** Global, because the guards of the platform read keys through `ApiKeyReader`. */
@Global()
@Module({
  imports: [LedgerModule, MembersModule, PlansModule],
  controllers: [ApiKeysController],
  providers: [
    ApiKeys,
    CreateApiKeyHandler,
    ExportApiKeyUsageHandler,
    GetApiKeyHandler,
    GetApiKeyUsageHandler,
    ListApiKeysHandler,
    PruneApiKeysHandler,
    ReadUsageHandler,
    RevokeApiKeysHandler,
    RotateApiKeyHandler,
    UpdateApiKeyHandler,
    { provide: ApiKeyReader, useExisting: ApiKeys },
  ],
  exports: [ApiKeys, ApiKeyReader],
})
export class ApiKeysModule {}
