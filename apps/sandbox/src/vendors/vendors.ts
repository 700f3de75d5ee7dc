import type { Part } from '../shell/part.js';
import type { VendorWorld } from './exchange.js';
import { audioRoutes } from './chatgpt/audio-routes.js';
import { chatgptRoutes } from './chatgpt/chatgpt.js';
import { deeplRoutes } from './deepl/deepl.js';
import { googleRoutes } from './google/google.js';
import { libretranslateRoutes } from './libretranslate/libretranslate.js';
import { microsoftRoutes } from './microsoft/microsoft.js';
import { Pace } from './pace.js';
import { pageRoutes, switchRoutes } from './switch-routes.js';
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
const MOST_BYTES = 32 * 1024 * 1024;

/** The translation vendors: each speaks its own protocol under `/vendors/<vendor>`. */
export function vendorsPart(): Part {
  const world: VendorWorld = { faults: new VendorFaults(), calls: new VendorCalls(), pace: new Pace() };
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
      pageRoutes(app, world, site);
      switchRoutes(app, world);
      void app.register((scope, _options, done) => {
        // What is signed and counted are the bytes as they came.
        scope.removeAllContentTypeParsers();
        scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, parsed) => {
          parsed(null, body);
        });
        for (const routes of ROUTES) routes(scope, world);
        done();
      });
    },
  };
}
