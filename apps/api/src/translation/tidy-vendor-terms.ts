import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Glossary } from '../glossary/glossary.js';
import { TextChannels } from './text-channels.js';

/** Removes outdated terms of a family from the vendors. Idempotent. */
export class TidyVendorTerms extends Command<void> {
  constructor(readonly familyId: number) {
    super();
  }
}

@CommandHandler(TidyVendorTerms)
export class TidyVendorTermsHandler implements ICommandHandler<TidyVendorTerms> {
  constructor(
    private readonly glossary: Glossary,
    private readonly channels: TextChannels,
  ) {}

  async execute({ familyId }: TidyVendorTerms): Promise<void> {
    const { pairs } = await this.glossary.current(familyId);
    await this.channels.keepOnlyTerms(familyId, pairs());
  }
}
