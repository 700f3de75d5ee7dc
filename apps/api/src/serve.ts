import path from 'node:path';
import { CommandBus } from '@nestjs/cqrs';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { endpoints, nativeEndpoints } from '@yiqiao/contracts/endpoints';
import type { FastifyInstance } from 'fastify';
import { AppModule } from './app.module.js';
import { dialectAt, DoorServices, serveDoors } from './doors/doors.js';
import { receiveNotifications } from './orders/notification-routes.js';
import type { Config } from './platform/config.js';
import { LivingProcesses } from './platform/living-processes.js';
import { serializeError } from './platform/logger.js';
import { RateLimits } from './platform/rate-limits.js';
import { siteData } from './site-data.js';
import { serveQrCodes } from './site/qr-codes.js';
import { CustomerService } from './site/customer-service.js';
import { formTargets } from './web/content-policy.js';
import { createHttpApp } from './web/http-app.js';
import { serveOpenApi } from './web/openapi.js';
import { serveSitemap } from './web/sitemap.js';
import { PublicPages } from './web/public-pages.js';
import { serveSite, webDirOf } from './web/static-site.js';

/** Builds the HTTP application, not yet listening; used by the entry point and by the end-to-end tests. */
export async function buildHttp(config: Config): Promise<NestFastifyApplication> {
  const api = { base: BASE_PATH, endpoints: [...endpoints, ...nativeEndpoints] } as const;
  const module = AppModule.with(config);
  const { app, fastify } = await createHttpApp(config, { name: 'api', module, api, dialectAt });
  receiveNotifications(fastify, () => app.get(CommandBus));
  serveQrCodes(fastify, () => ({ service: app.get(CustomerService, { strict: false }), limits: app.get(RateLimits) }));
  serveDoors(fastify, () => app.get(DoorServices, { strict: false }));
  const site = servePages(fastify, app, config);
  await app.init();
  await app.get(LivingProcesses).begin();
  await site.open();
  await fastify.ready();
  return app;
}

/** Serves the site beside the API. Its pages need data of the product, so they are opened after app.init(). */
function servePages(
  fastify: FastifyInstance,
  app: NestFastifyApplication,
  config: Config,
): { open: () => Promise<void> } {
  const webDir = webDirOf(config);
  const { publicUrl } = config;
  let publicPages: PublicPages | undefined;
  serveOpenApi(fastify, publicUrl);
  serveSitemap(fastify, { publicUrl, pages: () => publicPages?.listed });
  serveSite(fastify, { webDir, formTargets: formTargets(config), pages: () => publicPages });
  fastify.addHook('onClose', () => publicPages?.close());
  const onError = (error: unknown): void => fastify.log.warn({ publicPages: serializeError(error) });
  return {
    open: async () => {
      publicPages = await PublicPages.open({
        folder: path.join(webDir, '../dist-server'),
        publicUrl,
        data: siteData(app),
        onError,
      });
    },
  };
}
