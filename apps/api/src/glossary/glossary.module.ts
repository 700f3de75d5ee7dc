import { Module } from '@nestjs/common';
import { MembersModule } from '../members/members.module.js';
import { Glossary } from './glossary.js';

@Module({
  imports: [MembersModule],
  providers: [Glossary],
  exports: [Glossary],
})
export class GlossaryModule {}
