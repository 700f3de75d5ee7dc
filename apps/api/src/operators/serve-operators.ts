import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { BASE_PATH } from '@yiqiao/contracts/envelope';
import { OPERATOR_BASE_PATH } from '@yiqiao/contracts/operator/endpoint';
import { operatorEndpoints } from '@yiqiao/contracts/operator/endpoints';
import { Refusal } from '@yiqiao/domain/errors';
import { AppModule } from '../app.module.js';
import type { Config } from '../platform/config.js';
import { OPERATOR_ROLE } from '../platform/database.js';
import { createHttpApp } from '../web/http-app.js';
import { serveOperatorConsole, webDirOf } from '../web/static-site.js';
import { OperatorGuard } from './operator-guard.js';
import { OperatorsHttpModule } from './operators.module.js';

/** Builds the operators' process, not yet listening: their console, its API and nothing of the members' (operators §1). */
export async function buildOperators(config: Config): Promise<NestFastifyApplication> {
  const { app, fastify } = await createHttpApp(config, {
    name: 'operators',
    module: AppModule.with(config, { guard: OperatorGuard, imports: [OperatorsHttpModule], role: OPERATOR_ROLE }),
    api: { base: OPERATOR_BASE_PATH, endpoints: operatorEndpoints },
  });
  // The members' routes exist in this process, because their modules do; none of them is served.
  fastify.addHook('onRequest', (request, _, done) => {
    done(request.url.startsWith(BASE_PATH) ? new Refusal('NOT_FOUND') : undefined);
  });
  serveOperatorConsole(fastify, path.join(webDirOf(config), '../dist-operator'), config.publicUrl);
  await app.init();
  await fastify.ready();
  return app;
}
