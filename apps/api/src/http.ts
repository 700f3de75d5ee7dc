/** Entry point: the API, which also serves the site. */
import 'reflect-metadata';
import { loadConfig } from './platform/config.js';
import { dieWith } from './platform/process.js';
import { buildHttp } from './serve.js';
import { prepareDetection } from './translation/detect-language.js';

try {
  const config = loadConfig(process.env);
  const [app] = await Promise.all([buildHttp(config), prepareDetection()]);
  await app.listen(config.env.PORT, config.host);
} catch (error) {
  dieWith(error);
}
