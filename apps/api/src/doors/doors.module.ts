import { Module } from '@nestjs/common';
import { ApiKeysModule } from '../api-keys/api-keys.module.js';
import { GlossaryModule } from '../glossary/glossary.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { TranslationModule } from '../translation/translation.module.js';
import { DoorServices } from './door-services.js';
import { DoorTexts } from './door-texts.js';

@Module({
  imports: [ApiKeysModule, LedgerModule, GlossaryModule, TranslationModule],
  providers: [DoorTexts, DoorServices],
})
export class DoorsModule {}
