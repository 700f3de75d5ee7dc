import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { AccountWatch } from './account-watch.js';
import { ListNoticesHandler } from './list-notices.js';
import { ActiveNotices } from './active-notices.js';
import { NoticeAdmin } from './notice-admin.js';
import { NoticeFanOut } from './notice-fan-out.js';
import { NoticeStreams } from './notice-streams.js';
import { NoticesController } from './notices.controller.js';
import { SessionWatch } from './session-watch.js';
import { Streams } from './streams.js';
import { PublishNoticesHandler } from './publish-notices.js';

@Module({
  imports: [LedgerModule],
  controllers: [NoticesController],
  providers: [
    Streams,
    NoticeStreams,
    SessionWatch,
    AccountWatch,
    ActiveNotices,
    NoticeAdmin,
    NoticeFanOut,
    ListNoticesHandler,
    PublishNoticesHandler,
  ],
  exports: [NoticeAdmin],
})
export class NoticesModule {}
