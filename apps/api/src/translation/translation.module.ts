import { Module } from '@nestjs/common';
import { Glossary } from '../glossary/glossary.js';
import { GlossaryModule } from '../glossary/glossary.module.js';
import { LedgerModule } from '../ledger/ledger.module.js';
import { MembersModule } from '../members/members.module.js';
import { ListChannelHistoryHandler, RecordTrafficHandler } from './channel-history.js';
import { ChannelViews, MemberViews } from './channel-view.js';
import { VendorAccounts } from './channels/vendor-accounts.js';
import { canonicalLanguage } from './channels/language-codes.js';
import { Engines } from './engines/engines.js';
import { MediaQueue } from './engines/media-queue.js';
import { PictureWorkers } from './engines/picture-workers.js';
import { ProgramLauncher } from './engines/program-launcher.js';
import { TextTraffic } from './engines/text-traffic.js';
import { ExportTranslationLogsHandler } from './export-translation-logs.js';
import { ImageJobs, ImageTexts } from './image/image-job.js';
import { ImageController } from './image/image.controller.js';
import { ListMediaAbilitiesHandler } from './image/list-media-abilities.js';
import { OfflineReader } from './image/offline-reader.js';
import { PictureReaders } from './image/picture-readers.js';
import { Pictures } from './image/pictures.js';
import { TranslateImageHandler } from './image/translate-image.js';
import { VisionReader } from './image/vision-reader.js';
import { ListChannelsHandler, ListChannelStatusHandler } from './list-channels.js';
import { ListLanguagesHandler, ListPairsHandler } from './list-languages.js';
import { ListCallerLanguagesHandler, ListTranslatedLanguagesHandler } from './list-translated-languages.js';
import { ListTranslationLogsHandler } from './list-translation-logs.js';
import { TotalTranslationLogsHandler } from './total-translation-logs.js';
import { GetSavingsHandler, Savings } from './memory/savings.js';
import { ForgetTranslationsHandler, PruneTranslationsHandler, TranslationCache } from './memory/translation-cache.js';
import { TranslationMemory } from './memory/translation-memory.js';
import { MediaMetering, TextMetering } from './metering.js';
import { Router } from './routing/router.js';
import { SharedCaps } from './routing/shared-caps.js';
import { realTime } from './routing/time.js';
import { AccountTraffic, Traffic } from './routing/traffic.js';
import { VendorHealth } from './routing/vendor-health.js';
import { TextChannels } from './text-channels.js';
import { TidyVendorTermsHandler } from './tidy-vendor-terms.js';
import { TranslateBatch } from './translate-batch.js';
import { TranslateOne } from './translate-one.js';
import { TranslateTextHandler } from './translate-text.js';
import { TranslationLimits } from './translation-limits.js';
import { TryTextHandler } from './try-text.js';
import { TranslationController } from './translation.controller.js';
import { Espeak } from './voice/espeak.js';
import { PocketSphinx } from './voice/pocketsphinx.js';
import { Recordings } from './voice/recordings.js';
import { SpeechToText } from './voice/speech-to-text.js';
import { TextToSpeech } from './voice/text-to-speech.js';
import { TranscribeHandler, TranscriptAllowance } from './voice/transcribe.js';
import { TranslateVoiceHandler } from './voice/translate-voice.js';
import { VendorAudio } from './voice/vendor-audio.js';
import { VoiceAbilities } from './voice/voice-abilities.js';
import { VoiceJobs } from './voice/voice-job.js';
import { VoiceController } from './voice/voice.controller.js';

/** What the translation module needs for recordings. */
const VOICE_PROVIDERS = [
  VendorAudio,
  PocketSphinx,
  Espeak,
  SpeechToText,
  TextToSpeech,
  VoiceAbilities,
  Recordings,
  VoiceJobs,
  TranscriptAllowance,
  TranslateVoiceHandler,
  TranscribeHandler,
];

/** What the translation module needs for pictures. */
const IMAGE_PROVIDERS = [
  PictureWorkers,
  OfflineReader,
  VisionReader,
  PictureReaders,
  Pictures,
  ImageTexts,
  ImageJobs,
  TranslateImageHandler,
  ListMediaAbilitiesHandler,
];

const router = {
  provide: Router,
  inject: [TextChannels, Traffic],
  useFactory: (channels: TextChannels, traffic: Traffic) =>
    new Router({ channel: (id) => channels.channel(id), traffic, time: realTime }),
};

@Module({
  imports: [LedgerModule, MembersModule, GlossaryModule],
  controllers: [TranslationController, VoiceController, ImageController],
  providers: [
    VendorAccounts,
    TextChannels,
    Traffic,
    AccountTraffic,
    VendorHealth,
    SharedCaps,
    router,
    MemberViews,
    ChannelViews,
    TextMetering,
    TranslationCache,
    Savings,
    TranslationMemory,
    TranslateOne,
    TranslateBatch,
    TranslationLimits,
    TranslateTextHandler,
    TryTextHandler,
    TidyVendorTermsHandler,
    ListChannelsHandler,
    ListChannelStatusHandler,
    ListChannelHistoryHandler,
    RecordTrafficHandler,
    ListLanguagesHandler,
    ListPairsHandler,
    ListCallerLanguagesHandler,
    ListTranslatedLanguagesHandler,
    ListTranslationLogsHandler,
    TotalTranslationLogsHandler,
    ExportTranslationLogsHandler,
    GetSavingsHandler,
    ForgetTranslationsHandler,
    PruneTranslationsHandler,
    ProgramLauncher,
    Engines,
    TextTraffic,
    MediaQueue,
    MediaMetering,
    ...VOICE_PROVIDERS,
    ...IMAGE_PROVIDERS,
  ],
  exports: [TextChannels, VendorAccounts, VendorHealth, Traffic, AccountTraffic],
})
export class TranslationModule {
  constructor(glossary: Glossary) {
    glossary.useLanguages(canonicalLanguage);
  }
}
