import { InjectQueue, Processor, WorkerHost } from '@nestjs/bullmq';
import { type BeforeApplicationShutdown, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus, type ICommand } from '@nestjs/cqrs';
import type { Job, Queue } from 'bullmq';
import { PruneCodes } from './auth/prune-codes.js';
import { ReleaseStaleHolds } from './ledger/writer/release-stale-holds.js';
import { EraseAddresses } from './members/erase-addresses.js';
import { PruneReminders } from './members/reminders/prune-reminders.js';
import { WatchBalances } from './members/reminders/watch-balances.js';
import { RollUpUsage } from './ledger/usage/usage-roll-up.js';
import { CarryOnRefunds } from './orders/carry-on-refunds.js';
import { PruneNotifications } from './orders/prune-notifications.js';
import { WorkOffNotifications } from './orders/work-off-notifications.js';
import { finishJobs } from './platform/finish-jobs.js';
import { plainly } from './platform/logger.js';
import { PruneRecords } from './platform/prune-records.js';
import { CHORES_QUEUE } from './platform/queue.js';
import { PruneSessions } from './sessions/prune-sessions.js';
import { PruneTranslations } from './translation/memory/translation-cache.js';

/** What is done again and again, and how often. */
const chores: Record<string, { everyMs: number; command: () => ICommand }> = {
  'release-stale-holds': { everyMs: 15_000, command: () => new ReleaseStaleHolds() },
  'watch-balances': { everyMs: 30_000, command: () => new WatchBalances() },
  'roll-up-usage': { everyMs: 60_000, command: () => new RollUpUsage() },
  'prune-records': { everyMs: 3600_000, command: () => new PruneRecords() },
  'prune-translations': { everyMs: 3600_000, command: () => new PruneTranslations() },
  'prune-sessions': { everyMs: 3600_000, command: () => new PruneSessions() },
  'erase-addresses': { everyMs: 3600_000, command: () => new EraseAddresses(null) },
  'work-off-notifications': { everyMs: 30_000, command: () => new WorkOffNotifications() },
  'carry-on-refunds': { everyMs: 60_000, command: () => new CarryOnRefunds() },
  'prune-notifications': { everyMs: 3600_000, command: () => new PruneNotifications() },
  'prune-reminders': { everyMs: 3600_000, command: () => new PruneReminders() },
  'prune-codes': { everyMs: 3600_000, command: () => new PruneCodes() },
};

const RENEW_MS = 30_000;

/** Runs the chores as repeating jobs, so that of several workers only one does each. */
@Processor(CHORES_QUEUE)
export class Chores extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #log = new Logger('Chores');
  #renewal: NodeJS.Timeout | undefined;

  constructor(
    private readonly commands: CommandBus,
    @InjectQueue(CHORES_QUEUE) private readonly queue: Queue,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    void this.#schedule();
    // Redis may have lost the schedules with everything else: they are written again and again.
    this.#renewal = setInterval(() => void this.#schedule(), RENEW_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.#renewal);
    return finishJobs(this.worker);
  }

  override async process(job: Job): Promise<void> {
    const chore = chores[job.name];
    if (chore) await this.commands.execute(chore.command());
  }

  async #schedule(): Promise<void> {
    try {
      for (const [name, { everyMs }] of Object.entries(chores))
        await this.queue.upsertJobScheduler(name, { every: everyMs }, { name });
    } catch (error) {
      this.#log.warn({ msg: 'chores could not be scheduled', error: plainly(error) });
    }
  }
}
