import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { serveBrowserModules } from '../server/browser-modules.js';
import { wantsPage } from '../server/language.js';
import { type PageView, sendPage } from '../server/page.js';
import type { SandboxModule, Site } from '../server/sandbox-module.js';
import { parseAccount, VENDORS } from './account.js';
import type { VendorRow } from './browser/vendor-row.js';
import { VENDOR_TEXTS } from './browser/vendor-texts.js';
import { audioRoutes, chatgptRoutes } from './chatgpt/chatgpt.js';
import { deeplRoutes } from './deepl/deepl.js';
import { googleRoutes } from './google/google.js';
import { libretranslateRoutes } from './libretranslate/libretranslate.js';
import { microsoftRoutes } from './microsoft/microsoft.js';
import { RateLimit } from './serve-call.js';
import type { VendorServices } from './serve-call.js';
import { tencentRoutes } from './tencent/tencent.js';
import { VendorCalls } from './vendor-calls.js';
import { FAULT_BODY, type FaultSwitch, VendorFaults } from './vendor-faults.js';
import { youdaoRoutes } from './youdao/youdao.js';

const ROUTES = [
  googleRoutes,
  microsoftRoutes,
  tencentRoutes,
  youdaoRoutes,
  deeplRoutes,
  chatgptRoutes,
  audioRoutes,
  libretranslateRoutes,
] as const;

/** Maximum body size; each vendor enforces a lower limit. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The translation vendors, each under `/vendors/<vendor>` with its own protocol. */
export function vendorsModule(): SandboxModule {
  const services: VendorServices = { faults: new VendorFaults(), calls: new VendorCalls(), rateLimit: new RateLimit() };
  return {
    entry: {
      href: '/vendors',
      name: { zh: '翻译厂商', en: 'Vendors' },
      purpose: {
        zh: '翻译接口收到的请求，和让它们出错的开关',
        en: 'What the translation APIs were asked, and switches to make them fail',
      },
    },
    routes(app, site) {
      pageRoutes(app, services, site);
      switchRoutes(app, services);
      void app.register((scope, _options, done) => {
        // Signatures and size limits need the raw bytes.
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BYTES }, (_request, body, parsed) => {
          parsed(null, body);
        });
        for (const routes of ROUTES) routes(scope, services);
        done();
      });
    },
  };
}

/** Test controls: fault switches and the call log, per account. */
export function switchRoutes(app: FastifyInstance, { faults, calls }: VendorServices): void {
  app.get('/vendors/switches', (request, reply) =>
    withAccount(reply, request.query, (account) => ({ switches: faults.list(account) })),
  );
  app.post<{ Body: { account: string; fault: FaultSwitch } }>(
    '/vendors/switches',
    { schema: { body: FAULT_BODY } },
    ({ body: { account, fault } }, reply) =>
      withAccount(reply, { account }, () => ({ switches: faults.set(account, fault) })),
  );
  app.delete('/vendors/switches', (request, reply) =>
    withAccount(reply, request.query, (account) => ({ reset: faults.reset(account) })),
  );
  app.get('/vendors/calls', (request, reply) =>
    withAccount(reply, request.query, (account) =>
      account === undefined ? { accounts: calls.list().map(({ calls: _, ...sum }) => sum) } : calls.of(account),
    ),
  );
  app.delete('/vendors/calls', (request, reply) =>
    withAccount(reply, request.query, (account) => {
      calls.reset(account);
      return { reset: account ?? 'all' };
    }),
  );
}

/** The vendors page for browsers, JSON for other clients. */
export function pageRoutes(app: FastifyInstance, services: VendorServices, site: Site): void {
  app.get('/vendors', (request, reply) => {
    if (wantsPage(request.headers.accept)) return sendPage(request, reply, { site, view: VENDORS_PAGE });
    void reply.headers({ 'cache-control': 'no-store', vary: 'Accept, Accept-Language' });
    return reply.send({ accounts: vendorRows(services) });
  });
  serveBrowserModules(app, { path: '/vendors/browser', folder: join(import.meta.dirname, 'browser') });
}

/** Rejects an invalid account name: a misspelt name must not look like an account without calls. */
function withAccount(reply: FastifyReply, source: unknown, work: (account: string | undefined) => object) {
  const { account } = source as { account?: unknown };
  if (account === undefined) return reply.send(work(undefined));
  if (typeof account !== 'string' || !parseAccount(account)) {
    return reply.code(400).send({ error: 'account must be sandbox-<vendor>-<suffix>' });
  }
  return reply.send(work(account));
}

/** The shell of the vendors page: browser modules fetch the accounts and render them. */
export const VENDORS_PAGE: PageView = {
  path: '/vendors',
  title: { zh: VENDOR_TEXTS.zh.title, en: VENDOR_TEXTS.en.title },
  head: '<script type="module" src="/vendors/browser/vendor-list.js"></script>',
  body: (language) => {
    const texts = VENDOR_TEXTS[language];
    return `<main id="main" class="reading vendors">
<div class="cashier-head"><div><h1>${texts.title}</h1><p class="lead">${texts.about}</p></div><p class="live" id="live" role="status"></p></div>
<noscript><p class="framed">${texts.needsScript}</p></noscript>
<p><button id="all" type="button" class="quiet" hidden>${texts.resetAll}</button></p>
<div id="vendors"></div>
</main>`;
  },
};

/** Maximum accounts listed besides the product's own. */
const MAX_OTHERS = 100;

/** Rows of the page by vendor: the product's accounts, then others that were used, the latest first. */
export function vendorRows({ faults, calls }: Pick<VendorServices, 'faults' | 'calls'>): readonly VendorRow[] {
  const own = VENDORS.flatMap((vendor) => ['1', '2'].map((suffix) => `sandbox-${vendor}-${suffix}`));
  const seen = [...faults.list(), ...calls.list()].map(({ account }) => account);
  const others = [...new Set(seen)].filter((name) => !own.includes(name)).slice(0, MAX_OTHERS);
  const rows = [...own, ...others].map((name) => {
    const { count, refused, chars, inFlight, calls: latest } = calls.of(name);
    return {
      account: name,
      vendor: parseAccount(name)?.vendor ?? '',
      count,
      refused,
      chars,
      inFlight,
      lastAt: latest[0]?.at ?? null,
      switches: faults.list(name).map(({ account: _, ...shown }) => shown),
    };
  });
  return VENDORS.flatMap((vendor) => rows.filter((row) => row.vendor === vendor));
}
