import { authenticatorModule } from './authenticator/authenticator.js';
import { mailModule } from './mail/mail.js';
import { paymentsModule } from './payments/payments.js';
import type { SandboxConfig } from './server/config.js';
import { openHttp } from './server/http.js';
import type { SandboxModule } from './server/sandbox-module.js';
import { homeRoutes } from './server/home-page.js';
import { vendorsModule } from './vendors/vendors.js';
import { witnessModule } from './witness.js';

/** A running sandbox. */
export interface Sandbox {
  readonly url: string;
  /** host:port of the SMTP server. */
  readonly smtpAddress: string;
  stop(): Promise<void>;
}

/**
 * Starts every module and then the HTTP server, so that /health answers only when everything is ready.
 * Throws StartupError when a port is taken, after stopping whatever was started.
 */
export async function startSandbox(config: SandboxConfig): Promise<Sandbox> {
  const mail = mailModule(config);
  const parts: readonly SandboxModule[] = [
    mail,
    paymentsModule(config),
    vendorsModule(),
    witnessModule(config),
    authenticatorModule(config.operatorsFile),
  ];
  const site = { entries: parts.map((part) => part.entry) };
  const http = openHttp(config);
  homeRoutes(http.app, site);
  for (const part of parts) part.routes(http.app, site);

  const stop = async () => {
    await Promise.all([http.stop(), ...parts.map((part) => part.stop?.())]);
  };
  try {
    for (const part of parts) await part.start?.();
    const url = await http.listen();
    return { url, smtpAddress: mail.smtpAddress(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
