import { Module } from '@nestjs/common';
import { MembersModule } from '../members/members.module.js';
import { DeleteTermsHandler } from './delete-terms.js';
import { EraseGlossaryHandler } from './erase-glossary.js';
import { ExportTermsHandler } from './export-terms.js';
import { GlossaryChanges } from './glossary-changes.js';
import { GlossaryController } from './glossary.controller.js';
import { Glossary } from './glossary.js';
import { ImportTermsHandler } from './import-terms.js';
import { ListPairTermsHandler } from './list-pair-terms.js';
import { ListTermsHandler } from './list-terms.js';
import { PairGlossaries } from './pair-glossaries.js';
import { SaveTermHandler } from './save-term.js';
import { WrittenVersions } from './written-versions.js';

@Module({
  imports: [MembersModule],
  controllers: [GlossaryController],
  providers: [
    Glossary,
    GlossaryChanges,
    PairGlossaries,
    WrittenVersions,
    ListTermsHandler,
    ListPairTermsHandler,
    SaveTermHandler,
    DeleteTermsHandler,
    ExportTermsHandler,
    ImportTermsHandler,
    EraseGlossaryHandler,
  ],
  exports: [Glossary, PairGlossaries],
})
export class GlossaryModule {}
