import type { SandboxModule } from '../server/sandbox-module.js';
import type { VendorServices } from './serve-call.js';
import { audioRoutes, chatgptRoutes } from './chatgpt/chatgpt.js';
import { deeplRoutes } from './deepl/deepl.js';
import { googleRoutes } from './google/google.js';
import { libretranslateRoutes } from './libretranslate/libretranslate.js';
import { microsoftRoutes } from './microsoft/microsoft.js';
import { RateLimit } from './rate-limit.js';
import { pageRoutes, switchRoutes } from './vendor-routes.js';
import { tencentRoutes } from './tencent/tencent.js';
import { VendorCalls } from './vendor-calls.js';
import { VendorFaults } from './vendor-faults.js';
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

/** Bytes of a request that are read at all: every vendor has a limit of its own below. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The translation vendors: each speaks its own protocol under `/vendors/<vendor>`. */
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
        // What is signed and counted are the bytes as they came.
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
