import { Global, Module } from '@nestjs/common';
import { SessionReader } from '../platform/session-guard.js';
import { EndSessionHandler, SignOutEverywhereHandler } from './end-sessions.js';
import { ListSessionsHandler } from './list-sessions.js';
import { OpenViewHandler } from './open-view.js';
import { PruneSessionsHandler } from './prune-sessions.js';
import { SessionsController } from './sessions.controller.js';
import { Sessions } from './sessions.js';

/** Global, because the platform's session guard reads sessions through `SessionReader`. */
@Global()
@Module({
  controllers: [SessionsController],
  providers: [
    Sessions,
    ListSessionsHandler,
    EndSessionHandler,
    SignOutEverywhereHandler,
    OpenViewHandler,
    PruneSessionsHandler,
    { provide: SessionReader, useExisting: Sessions },
  ],
  exports: [Sessions, SessionReader],
})
export class SessionsModule {}
