import { mailPart } from './mail/mail.js';
import { paymentsPart } from './payments/payments.js';
import type { SandboxConfig } from './shell/config.js';
import { openHttp } from './shell/http.js';
import type { Part } from './shell/part.js';
import { siteRoutes } from './shell/site-routes.js';
import { vendorsPart } from './vendors/vendors.js';

/** A running sandbox. */
export interface Sandbox {
  readonly url: string;
  /** host:port of the SMTP server. */
  readonly smtpAddress: string;
  stop(): Promise<void>;
}

/**
 * Starts every part and then the HTTP server, so that whoever sees /health answer may use all of it.
 * Throws StartRefused when a port is taken; nothing is left running then.
 */
export async function startSandbox(config: SandboxConfig): Promise<Sandbox> {
  const mail = mailPart(config);
  const parts: readonly Part[] = [mail, paymentsPart(config), vendorsPart()];
  const site = { entries: parts.map((part) => part.entry) };
  const http = openHttp(config);
  siteRoutes(http.app, site);
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
