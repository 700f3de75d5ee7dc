import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

import type { FastifyInstance } from 'fastify';

/**
 * Serves the files of a module's `browser` folder under a path of the same shape, so that their relative imports resolve.
 * A build holds them as JavaScript; from sources, their types are stripped here.
 */
export function serveBrowserModules(app: FastifyInstance, { path, folder }: { path: string; folder: string }): void {
  for (const file of readdirSync(folder)) {
    const name = /^([a-z-]+)\.(?:js|ts)$/.exec(file)?.[1];
    if (!name) continue;
    const source = readFileSync(join(folder, file), 'utf8');
    const script = file.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
    app.get(`${path}/${name}.js`, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(script),
    );
  }
}
