import type { AddressInfo, Server } from 'node:net';

import { StartRefused } from './config.js';

/**
 * Opens a server and answers its port. A taken port is refused in plain words;
 * any other failure (no such address on this machine) is thrown as it is.
 */
export async function listenOn(server: Server, at: { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      reject(error.code === 'EADDRINUSE' ? new StartRefused(`Port ${at.port} on ${at.host} is taken`) : error);
    };
    server.once('error', failed);
    server.listen(at.port, at.host, () => {
      server.off('error', failed);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
