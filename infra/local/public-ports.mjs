// The two ports that people see. One that was asked for is kept or refused; a default one may move, and says so.
import { Failure } from './failure.mjs';
import { isPortFree, nextFreePort } from './ports.mjs';

/** @returns {Promise<{port: number, sandboxPort: number}>} */
export async function choosePublicPorts(say, env = process.env) {
  const port = await choose({ name: 'PORT', asked: env.PORT, usual: 8080, say });
  const sandboxPort = await choose({ name: 'SANDBOX_PORT', asked: env.SANDBOX_PORT, usual: port + 1, say });
  return { port, sandboxPort };
}

async function choose({ name, asked, usual, say }) {
  if (!asked) {
    const port = await nextFreePort(usual);
    if (port !== usual) say(`port ${usual} is taken, using ${port} (choose with ${name}=…)`);
    return port;
  }
  const port = Number(asked);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new Failure(`${name}=${asked} is not a port`, {
      ways: [`give a number from 1 to 65535, e.g. ${name}=${usual}`],
    });
  }
  if (port < 1024 && process.getuid?.() !== 0) {
    throw new Failure(`${name}=${port} needs root`, { ways: [`choose a port above 1023, e.g. ${name}=${usual}`] });
  }
  if (!(await isPortFree(port))) {
    throw new Failure(`port ${port} is taken (asked for with ${name}=${port})`, {
      ways: [
        `see who has it: ss -ltnp 'sport = :${port}'`,
        `choose another one, e.g. ${name}=${await nextFreePort(port + 1)}`,
      ],
    });
  }
  return port;
}
