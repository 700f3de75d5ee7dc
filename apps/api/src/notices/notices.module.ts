import { Module } from '@nestjs/common';
import { LedgerModule } from '../ledger/ledger.module.js';
import { AccountWatch } from './account-watch.js';
import { ListNoticesHandler } from './list-notices.js';
import { NoticeBoard } from './notice-board.js';
import { NoticeDesk } from './notice-desk.js';
import { NoticeFanOut } from './notice-fan-out.js';
import { NoticeStreams } from './notice-streams.js';
import { NoticesController } from './notices.controller.js';
import { SessionWatch } from './session-watch.js';
import { Streams } from './streams.js';
import { TellNoticesHandler } from './tell-notices.js';

@Module({
  imports: [LedgerModule],
  controllers: [NoticesController],
  providers: [
    ...[Streams, NoticeStreams, SessionWatch, AccountWatch],
    ...[NoticeBoard, NoticeDesk, NoticeFanOut, ListNoticesHandler, TellNoticesHandler],
  ],
})
export class NoticesModule {}
