import { Module } from '@nestjs/common';
import { GlossaryModule } from '../glossary/glossary.module.js';
import { Glossary } from '../glossary/glossary.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MembersModule } from '../members/members.module.js';
import { ForgetTranslationsHandler } from './cache/forget-translations.js';
import { GetSavingsHandler } from './cache/get-savings.js';
import { PruneTranslationsHandler } from './cache/prune-translations.js';
import { SavingsController } from './cache/savings.controller.js';
import { Savings } from './cache/savings.js';
import { TranslationCache } from './cache/translation-cache.js';
import { ChannelChoice } from './channel-choice.js';
import { canonicalLanguage } from './channels/language-codes.js';
import { Engines } from './engines/engines.js';
import { MediaQueue } from './engines/media-queue.js';
import { ProgramLauncher } from './engines/program-launcher.js';
import { TextTraffic } from './engines/text-traffic.js';
import { ExportTranslationLogsHandler } from './export-translation-logs.js';
import { ImageController } from './image/image.controller.js';
import { IMAGE_PROVIDERS } from './image/image-providers.js';
import { ListChannelStatusHandler } from './list-channel-status.js';
import { ListChannelsHandler } from './list-channels.js';
import { ListLanguagesHandler } from './list-languages.js';
import { ListPairsHandler } from './list-pairs.js';
import { ListTranslationLogsHandler } from './list-translation-logs.js';
import { ManyTexts } from './many-texts.js';
import { MemberChannels } from './member-channels.js';
import { MeteredMedia } from './metered-media.js';
import { MeteredTexts } from './metered-texts.js';
import { OneText } from './one-text.js';
import { RememberedTexts } from './remembered-texts.js';
import { Router } from './routing/router.js';
import { realTime } from './routing/time.js';
import { Traffic } from './routing/traffic.js';
import { TextChannels } from './text-channels.js';
import { TranslateTextHandler } from './translate-text.js';
import { TranslationController } from './translation.controller.js';
import { TranslationLimits } from './translation-limits.js';
import { TidyVendorTermsHandler } from './tidy-vendor-terms.js';
import { VOICE_PROVIDERS } from './voice/voice-providers.js';
import { VoiceController } from './voice/voice.controller.js';

const router = {
  provide: Router,
  inject: [TextChannels, Traffic],
  useFactory: (channels: TextChannels, traffic: Traffic) =>
    new Router({ channel: (id) => channels.channel(id), traffic, time: realTime }),
};

@Module({
  imports: [LedgerModule, MembersModule, GlossaryModule],
  controllers: [TranslationController, SavingsController, VoiceController, ImageController],
  providers: [
    TextChannels,
    Traffic,
    router,
    MemberChannels,
    ChannelChoice,
    MeteredTexts,
    TranslationCache,
    Savings,
    RememberedTexts,
    OneText,
    ManyTexts,
    TranslationLimits,
    TranslateTextHandler,
    TidyVendorTermsHandler,
    ListChannelsHandler,
    ListChannelStatusHandler,
    ListLanguagesHandler,
    ListPairsHandler,
    ListTranslationLogsHandler,
    ExportTranslationLogsHandler,
    GetSavingsHandler,
    ForgetTranslationsHandler,
    PruneTranslationsHandler,
    ProgramLauncher,
    Engines,
    TextTraffic,
    MediaQueue,
    MeteredMedia,
    ...VOICE_PROVIDERS,
    ...IMAGE_PROVIDERS,
  ],
})
export class TranslationModule {
  constructor(glossary: Glossary) {
    glossary.speak(canonicalLanguage);
  }
}
