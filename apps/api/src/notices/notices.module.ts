import { Module } from '@nestjs/common';
import { NoticeStreams } from './notice-streams.js';
import { NoticesController } from './notices.controller.js';
import { SessionWatch } from './session-watch.js';
import { Streams } from './streams.js';

@Module({ controllers: [NoticesController], providers: [Streams, NoticeStreams, SessionWatch] })
export class NoticesModule {}
