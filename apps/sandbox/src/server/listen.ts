import type { AddressInfo, Server } from 'node:net';

import { StartupError } from './config.js';

/**
 * Starts a server and returns its port. A taken port throws StartupError; any other failure is rethrown.
 */
export async function listenOn(server: Server, at: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new StartupError(`Port ${at.port} on ${at.host} is taken`) : error);
    };
    server.once('error', failed);
    server.listen(at.port, at.host, () => {
      server.off('error', failed);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
