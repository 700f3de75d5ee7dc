import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { AccountWatch } from './account-watch.js';
import { NoticeStreams } from './notice-streams.js';
import { NoticesController } from './notices.controller.js';
import { SessionWatch } from './session-watch.js';
import { Streams } from './streams.js';

@Module({
  imports: [LedgerModule],
  controllers: [NoticesController],
  providers: [Streams, NoticeStreams, SessionWatch, AccountWatch],
})
export class NoticesModule {}
