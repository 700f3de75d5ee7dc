import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { ExportTranslationLogsHandler } from './export-translation-logs.js';
import { ListChannelsHandler } from './list-channels.js';
import { ListLanguagesHandler } from './list-languages.js';
import { ListPairsHandler } from './list-pairs.js';
import { ListTranslationLogsHandler } from './list-translation-logs.js';
import { MemberChannels } from './member-channels.js';
import { TextChannels } from './text-channels.js';
import { TranslateTextHandler } from './translate-text.js';
import { TranslationController } from './translation.controller.js';
import { TranslationLimits } from './translation-limits.js';

@Module({
  imports: [LedgerModule],
  controllers: [TranslationController],
  providers: [
    TextChannels,
    MemberChannels,
    TranslationLimits,
    TranslateTextHandler,
    ListChannelsHandler,
    ListLanguagesHandler,
    ListPairsHandler,
    ListTranslationLogsHandler,
    ExportTranslationLogsHandler,
  ],
})
export class TranslationModule {}
