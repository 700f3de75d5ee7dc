import { readFile } from 'node:fs/promises';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Answer, Input } from '@yiqiao/contracts/endpoint';
import type { importTerms } from '@yiqiao/contracts/glossary';
import { Clock } from '../platform/clock.js';
import { Outbox } from '../platform/outbox.js';
import { uuid7 } from '../platform/uuid7.js';
import { GlossaryChanges } from './glossary-changes.js';
import { Glossary } from './glossary.js';
import { mergeTerms } from './merge-terms.js';
import { readTermsFile } from './terms-file.js';

type Imported = Answer<typeof importTerms>;
type Mode = Input<typeof importTerms>['mode'];

/** Imports the terms of a file, all or none. */
export class ImportTerms extends Command<Imported> {
  constructor(
    readonly familyId: number,
    readonly mode: Mode,
    readonly path: string,
  ) {
    super();
  }
}

@CommandHandler(ImportTerms)
export class ImportTermsHandler implements ICommandHandler<ImportTerms> {
  constructor(
    private readonly changes: GlossaryChanges,
    private readonly glossary: Glossary,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  async execute({ familyId, mode, path }: ImportTerms): Promise<Imported> {
    const given = readTermsFile(await readFile(path), this.glossary);
    const at = this.clock.now().getTime();
    const { answer, version } = await this.changes.make(familyId, async (em) => {
      const counts = await mergeTerms(em, { familyId, mode, given });
      await this.outbox.record(em, { type: 'GlossaryImported', familyId, importId: uuid7(), ...counts, at });
      return { answer: counts, changed: counts.added + counts.changed + counts.removed > 0 };
    });
    return { ...answer, version };
  }
}
