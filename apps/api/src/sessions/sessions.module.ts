import { Global, Module } from '@nestjs/common';
import { SessionReader } from '../platform/session-guard.js';
import { PruneSessionsHandler } from './prune-sessions.js';
import { Sessions } from './sessions.js';

/** Global, because the request guard of the platform reads sessions through `SessionReader`. */
@Global()
@Module({
  providers: [Sessions, PruneSessionsHandler, { provide: SessionReader, useExisting: Sessions }],
  exports: [Sessions, SessionReader],
})
export class SessionsModule {}
