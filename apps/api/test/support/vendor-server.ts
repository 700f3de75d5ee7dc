import type { VendorAccount, VendorClient } from '../../src/translation/channels/vendor.js';
import type { VendorCode } from '../../src/translation/channels/vendor-settings.js';
import { type StubAnswer, stubServer, type StubRequest } from './stub-server.js';
import { accountAt } from './vendor-accounts.js';

type Said = { status?: number; headers?: Record<string, string>; json: unknown };

/** A vendor server with scripted responses, and its client; `asked`: the received requests. */
export async function vendorServer(
  code: VendorCode,
  open: (account: VendorAccount) => VendorClient,
  given: Partial<VendorAccount> = {},
) {
  let next: (asked: StubRequest) => Said = () => ({ status: 500, json: {} });
  const server = await stubServer((asked): StubAnswer => {
    const { status = 200, headers = {}, json } = next(asked);
    return { status, headers, body: JSON.stringify(json) };
  });
  const client = open(accountAt(code, { baseUrl: server.url, ...given }));
  return {
    client,
    url: server.url,
    asked: server.asked,
    says: (json: unknown, status = 200, headers: Record<string, string> = {}) =>
      void (next = () => ({ status, headers, json })),
    answers: (how: (asked: StubRequest) => Said) => void (next = how),
    close: async () => {
      await client.close();
      await server.close();
    },
  };
}

export type VendorServer = Awaited<ReturnType<typeof vendorServer>>;

/** The last received body as JSON. */
export const lastBody = ({ asked }: VendorServer): unknown => JSON.parse(asked.at(-1)?.body ?? '');
