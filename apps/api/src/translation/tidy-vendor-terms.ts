import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Glossary } from '../glossary/glossary.js';
import { TextChannels } from './text-channels.js';

/** What vendors were told of a family's terms that are others now, or none any more, is removed there. May run again. */
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
