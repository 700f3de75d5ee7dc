import { type CanActivate, Module, type DynamicModule, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuthModule } from './auth/auth.module.js';
import { DoorsModule } from './doors/doors.module.js';
import { GlossaryModule } from './glossary/glossary.module.js';
import { entities } from './entities.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { MembersModule } from './members/members.module.js';
import { OrdersModule } from './orders/orders.module.js';
import { PlansModule } from './plans/plans.module.js';
import { NoticesModule } from './notices/notices.module.js';
import { AllExceptionsFilter } from './platform/exception-filter.js';
import type { Config } from './platform/config.js';
import { APP_ROLE, DatabaseModule } from './platform/database.js';
import { HealthController } from './platform/health.js';
import { InputPipe, NoBodyGuard } from './platform/input-pipe.js';
import { PlatformModule } from './platform/platform.module.js';
import { RedisModule } from './platform/redis.js';
import { SessionGuard } from './platform/session-guard.js';
import { SessionsModule } from './sessions/sessions.module.js';
import { StandbyModule } from './platform/standby.js';
import { SiteModule } from './site/site.module.js';
import { TranslationModule } from './translation/translation.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** `guard` decides who may call an endpoint; `role` is the role in the database. */
type Entry = { guard: Type<CanActivate>; imports: Type[]; role: string };
const MEMBERS: Entry = { guard: SessionGuard, imports: [], role: APP_ROLE };

/** The modules that every entry point (http, worker, operator, operators) shares. */
@Module({})
export class AppModule {
  static with(config: Config, { guard, imports, role }: Entry = MEMBERS): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CqrsModule.forRoot(),
        PlatformModule.with(config),
        DatabaseModule.forRoot(entities, role),
        StandbyModule.forRoot(entities, role),
        RedisModule,
        PlansModule,
        LedgerModule,
        SessionsModule,
        MembersModule,
        ApiKeysModule,
        AuthModule,
        NoticesModule,
        SiteModule,
        OrdersModule,
        GlossaryModule,
        TranslationModule,
        WebhooksModule,
        DoorsModule,
        ...imports,
      ],
      controllers: [HealthController],
      providers: [
        { provide: APP_GUARD, useClass: guard },
        { provide: APP_GUARD, useClass: NoBodyGuard },
        { provide: APP_PIPE, useClass: InputPipe },
        { provide: APP_FILTER, useClass: AllExceptionsFilter },
      ],
    };
  }
}
