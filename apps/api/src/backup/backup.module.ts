import { Module } from '@nestjs/common';
import { StartDrillHandler } from './start-drill.js';

/** What the worker does about backups. Everything else about them runs without the application. */
@Module({ providers: [StartDrillHandler] })
export class BackupModule {}
