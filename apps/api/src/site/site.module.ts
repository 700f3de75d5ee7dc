import { Global, Module } from '@nestjs/common';
import { GetDataConfigHandler } from './get-data-config.js';
import { SiteController } from './site.controller.js';
import { Site } from './site.js';

@Global()
@Module({ controllers: [SiteController], providers: [Site, GetDataConfigHandler], exports: [Site] })
export class SiteModule {}
