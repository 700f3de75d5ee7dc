import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import type { Job } from 'bullmq';
import { Deliverer } from './deliverer.js';
import { finishJobs } from './finish-jobs.js';
import { DELIVERIES_QUEUE, LETTERS_QUEUE, type DeliveryJob } from './queue.js';

/** Carries out whatever follows from facts, except letters. */
@Processor(DELIVERIES_QUEUE, { concurrency: 8, maxStalledCount: 10 })
export class Courier extends WorkerHost implements BeforeApplicationShutdown {
  constructor(private readonly deliverer: Deliverer) {
    super();
  }

  override process(job: Job<DeliveryJob>): Promise<void> {
    return this.deliverer.deliver(job);
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job<DeliveryJob> | undefined, error: Error): void {
    this.deliverer.failed(job, error);
  }

  beforeApplicationShutdown(): Promise<void> {
    return finishJobs(this.worker);
  }
}

/** Carries letters: a mail server that takes its time, or has gone, keeps nothing else waiting. */
@Processor(LETTERS_QUEUE, { concurrency: 4, maxStalledCount: 10 })
export class LetterCourier extends Courier {}
