import { Module, type DynamicModule } from '@nestjs/common';
import { Admission } from './admission.js';
import { Clock } from './clock.js';
import { Config } from './config.js';
import { CsvDownloads } from './csv-downloads.js';
import { Health } from './health.js';
import { Idempotency } from './idempotency.js';
import { JobRuns } from './job-runs.js';
import { Live } from './live.js';
import { LivingProcesses } from './living-processes.js';
import { Mailer } from './mail.js';
import { CacheInvalidation } from './cache-invalidation.js';
import { OperatorTokens } from './operator-token.js';
import { Outbox } from './outbox.js';
import { OutgoingMails, SendMailHandler } from './outgoing-mail.js';
import { Passwords } from './passwords.js';
import { ProcessReports } from './process-reports.js';
import { PruneRecordsHandler } from './prune-records.js';
import { RateLimits } from './rate-limits.js';
import { SharedPlaces } from './shared-places.js';
import { SharedWindows } from './shared-windows.js';
import { UploadSlots } from './upload-receiver.js';
import { Vault } from './vault.js';

const services = [
  Admission,
  Clock,
  CsvDownloads,
  Health,
  Idempotency,
  JobRuns,
  Live,
  LivingProcesses,
  Mailer,
  CacheInvalidation,
  OperatorTokens,
  Outbox,
  OutgoingMails,
  Passwords,
  ProcessReports,
  RateLimits,
  SharedPlaces,
  SharedWindows,
  UploadSlots,
  Vault,
];

@Module({})
export class PlatformModule {
  static with(config: Config): DynamicModule {
    const provideConfig = { provide: Config, useValue: config };
    return {
      module: PlatformModule,
      global: true,
      providers: [provideConfig, PruneRecordsHandler, SendMailHandler, ...services],
      exports: [Config, ...services],
    };
  }
}
