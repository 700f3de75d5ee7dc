import { join } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { serveBrowserModules } from '../server/browser-modules.js';
import { wantsPage } from '../server/language.js';
import { sendPage, type PageView } from '../server/page.js';
import type { Site } from '../server/sandbox-module.js';
import { accountOf, VENDORS } from './account.js';
import type { VendorServices } from './serve-call.js';
import { FAULT_BODY, type FaultSwitch } from './vendor-faults.js';
import { VENDOR_TEXTS } from './browser/vendor-texts.js';
import type { VendorRow } from './browser/vendor-row.js';

/** What tests turn and read, each by account. */
export function switchRoutes(app: FastifyInstance, { faults, calls }: VendorServices): void {
  app.get('/vendors/switches', (request, reply) =>
    ofAccount(reply, request.query, (account) => ({ switches: faults.list(account) })),
  );
  app.post<{ Body: { account: string; fault: FaultSwitch } }>(
    '/vendors/switches',
    { schema: { body: FAULT_BODY } },
    ({ body: { account, fault } }, reply) =>
      ofAccount(reply, { account }, () => ({ switches: faults.set(account, fault) })),
  );
  app.delete('/vendors/switches', (request, reply) =>
    ofAccount(reply, request.query, (account) => ({ reset: faults.reset(account) })),
  );
  app.get('/vendors/calls', (request, reply) =>
    ofAccount(reply, request.query, (account) =>
      account === undefined ? { accounts: calls.list().map(({ calls: _, ...sum }) => sum) } : calls.of(account),
    ),
  );
  app.delete('/vendors/calls', (request, reply) =>
    ofAccount(reply, request.query, (account) => {
      calls.reset(account);
      return { reset: account ?? 'all' };
    }),
  );
}

/** The page for people, and the same as JSON for everything else. */
export function pageRoutes(app: FastifyInstance, services: VendorServices, site: Site): void {
  app.get('/vendors', (request, reply) => {
    if (wantsPage(request.headers.accept)) return sendPage(request, reply, { site, view: VENDORS_PAGE });
    void reply.headers({ 'cache-control': 'no-store', vary: 'Accept, Accept-Language' });
    return reply.send({ accounts: vendorRows(services) });
  });
  serveBrowserModules(app, { path: '/vendors/browser', folder: join(import.meta.dirname, 'browser') });
}

/** Refuses what can be nobody's account: a misspelt name must not look like one that nobody asked. */
function ofAccount(reply: FastifyReply, asked: unknown, work: (account: string | undefined) => object) {
  const { account } = asked as { account?: unknown };
  if (account === undefined) return reply.send(work(undefined));
  if (typeof account !== 'string' || !accountOf(account)) {
    return reply.code(400).send({ error: 'account must be sandbox-<vendor>-<suffix>' });
  }
  return reply.send(work(account));
}

/** The frame of the accounts: the browser modules fetch them and build every node themselves. */
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

/** Accounts listed beside the product's own. */
const MOST_OTHERS = 100;

/** What the page shows: the accounts that the product has, then whatever others were seen, the latest first; vendor by vendor. */
export function vendorRows({ faults, calls }: Pick<VendorServices, 'faults' | 'calls'>): readonly VendorRow[] {
  const own = VENDORS.flatMap((vendor) => ['1', '2'].map((suffix) => `sandbox-${vendor}-${suffix}`));
  const seen = [...faults.list(), ...calls.list()].map(({ account }) => account);
  const others = [...new Set(seen)].filter((name) => !own.includes(name)).slice(0, MOST_OTHERS);
  const rows = [...own, ...others].map((name) => {
    const { count, refused, chars, inFlight, calls: latest } = calls.of(name);
    return {
      account: name,
      vendor: accountOf(name)?.vendor ?? '',
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
