import { EntityManager } from '@mikro-orm/postgresql';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Clock } from '../platform/clock.js';
import { VerificationCode } from './verification-code.entity.js';

/** Deletes old codes. A scheduled job runs it. */
export class PruneCodes extends Command<void> {}

const KEPT_MS = 24 * 3600_000;

@CommandHandler(PruneCodes)
export class PruneCodesHandler implements ICommandHandler<PruneCodes> {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** A day exceeds their ten minutes of validity and the hour over which they are counted. */
  async execute(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_MS);
    await this.em.fork().nativeDelete(VerificationCode, { createdAt: { $lt: before } });
  }
}
