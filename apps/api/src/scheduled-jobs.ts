import { InjectQueue, OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import type { Job, Queue } from 'bullmq';
import { PruneApiKeys } from './api-keys/prune-api-keys.js';
import { PruneCodes } from './auth/prune-codes.js';
import { StartDrill } from './backup/backup.js';
import { ReleaseStaleHolds } from './ledger/writer/release-stale-holds.js';
import { EraseAddresses } from './members/erase-addresses.js';
import { PruneDevices } from './members/devices.js';
import { PruneReminders } from './members/reminders/prune-reminders.js';
import { WatchBalances } from './members/reminders/watch-balances.js';
import { BuildAccountBlocks } from './ledger/time-machine/account-blocks.js';
import { AnchorCloses } from './ledger/closes/anchor-closes.js';
import { CloseLedger } from './ledger/closes/close-ledger.js';
import { RollUpLedgerDays } from './ledger/trial-balance/ledger-days.js';
import { RollUpUsage } from './ledger/usage/usage-roll-up.js';
import { StartNightlyAudit } from './operators/audits/audit-runs.js';
import { RetryRefunds } from './orders/retry-refunds.js';
import { PruneNotifications } from './orders/prune-notifications.js';
import { ProcessPendingNotifications } from './orders/process-pending-notifications.js';
import { JobRuns } from './platform/job-runs.js';
import { serializeError, ThrottledLines } from './platform/logger.js';
import { isOutage, outageKind } from './platform/outage.js';
import { PruneRecords } from './platform/prune-records.js';
import { drain, SCHEDULED_JOBS_QUEUE } from './platform/queue.js';
import { PruneSessions } from './sessions/prune-sessions.js';
import { RecordTraffic } from './translation/channel-history.js';
import { PruneTranslations } from './translation/memory/translation-cache.js';
import { PauseHopelessWebhooks, PruneWebhooks } from './webhooks/pauses.js';

/** The repeating jobs and their intervals. The names are stored in Redis. */
const jobs: Record<string, { everyMs: number; command: () => ICommand }> = {
  'release-stale-holds': { everyMs: 15_000, command: () => new ReleaseStaleHolds() },
  'watch-balances': { everyMs: 30_000, command: () => new WatchBalances() },
  'roll-up-usage': { everyMs: 60_000, command: () => new RollUpUsage() },
  'build-account-blocks': { everyMs: 60_000, command: () => new BuildAccountBlocks() },
  'start-nightly-audit': { everyMs: 60_000, command: () => new StartNightlyAudit() },
  'start-drill': { everyMs: 60_000, command: () => new StartDrill() },
  'roll-up-ledger-days': { everyMs: 60_000, command: () => new RollUpLedgerDays() },
  'close-ledger': { everyMs: 60_000, command: () => new CloseLedger({ actor: 'system' }) },
  'anchor-closes': { everyMs: 60_000, command: () => new AnchorCloses() },
  'record-traffic': { everyMs: 60_000, command: () => new RecordTraffic() },
  'prune-records': { everyMs: 3600_000, command: () => new PruneRecords() },
  'prune-translations': { everyMs: 3600_000, command: () => new PruneTranslations() },
  'prune-sessions': { everyMs: 3600_000, command: () => new PruneSessions() },
  'erase-addresses': { everyMs: 3600_000, command: () => new EraseAddresses(null) },
  'work-off-notifications': { everyMs: 30_000, command: () => new ProcessPendingNotifications() },
  'carry-on-refunds': { everyMs: 60_000, command: () => new RetryRefunds() },
  'prune-notifications': { everyMs: 3600_000, command: () => new PruneNotifications() },
  'prune-reminders': { everyMs: 3600_000, command: () => new PruneReminders() },
  'prune-devices': { everyMs: 24 * 3600_000, command: () => new PruneDevices() },
  'pause-webhooks': { everyMs: 600_000, command: () => new PauseHopelessWebhooks() },
  'prune-webhooks': { everyMs: 3600_000, command: () => new PruneWebhooks() },
  'prune-api-keys': { everyMs: 3600_000, command: () => new PruneApiKeys() },
  'prune-codes': { everyMs: 3600_000, command: () => new PruneCodes() },
};

const RENEW_MS = 30_000;

/** Runs repeating jobs through BullMQ, so that only one of several workers runs each. */
@Processor(SCHEDULED_JOBS_QUEUE)
export class ScheduledJobs extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('ScheduledJobs');
  readonly #outages = new ThrottledLines((line) => this.#log.warn({ msg: 'scheduled job failed', ...line }));
  #renewal: NodeJS.Timeout | undefined;

  constructor(
    private readonly commands: CommandBus,
    private readonly runs: JobRuns,
    @InjectQueue(SCHEDULED_JOBS_QUEUE) private readonly queue: Queue,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    void this.#schedule();
    // Redis may lose its data, schedules included: write them again periodically.
    this.#renewal = setInterval(() => void this.#schedule(), RENEW_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#renewal);
    return drain(this.worker);
  }

  override async process(job: Job): Promise<void> {
    const scheduled = jobs[job.name];
    if (scheduled) await this.runs.record(job.name, () => this.commands.execute(scheduled.command()));
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job | undefined, error: Error): void {
    const line = () => ({ job: job?.name, attempt: job?.attemptsMade, error: serializeError(error) });
    if (isOutage(error)) this.#outages.add(outageKind(error), line);
    else this.#log.warn({ msg: 'scheduled job failed', ...line() });
  }

  async #schedule(): Promise<void> {
    try {
      for (const [name, { everyMs }] of Object.entries(jobs))
        await this.queue.upsertJobScheduler(name, { every: everyMs }, { name });
    } catch (error) {
      this.#log.warn({ msg: 'jobs could not be scheduled', error: serializeError(error) });
    }
  }
}
