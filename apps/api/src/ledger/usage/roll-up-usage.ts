import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { UsageRollUp } from './usage-roll-up.js';

/** Counts what everybody has used since the last time, so that a chart finds little to do. Answers how many families. */
export class RollUpUsage extends Command<number> {}

/** Families that share a transaction. */
const TOGETHER = 100;

@CommandHandler(RollUpUsage)
export class RollUpUsageHandler implements ICommandHandler<RollUpUsage> {
  constructor(private readonly usage: UsageRollUp) {}

  async execute(): Promise<number> {
    const families = await this.usage.familiesBehind();
    for (let at = 0; at < families.length; at += TOGETHER) await this.usage.countAll(families.slice(at, at + TOGETHER));
    return families.length;
  }
}
