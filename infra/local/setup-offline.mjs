// npm run setup:offline: installs the offline engines when npm start could not.
import { installApertium, installMedia, mediaPackages } from './offline-engines.mjs';
import { dataDirOf } from './project.mjs';
import { createSteps, Failure, printFailure } from './terminal.mjs';

const steps = createSteps();
const elsewhere = 'elsewhere than on Debian or Ubuntu: run the container image (infra/Dockerfile), which has it';

await provide('offline engine', textPackages(), async () => {
  const { dir, sample } = await installApertium(dataDirOf());
  return `${dir === '/' ? "the system's Apertium" : dir}: "The house is big." → "${sample}"`;
});
await provide('pictures and voice', mediaPackages, async () => {
  const dir = await installMedia(dataDirOf());
  return dir === '/' ? "the system's" : dir;
});
if (!process.exitCode) console.log('\nA running product finds them within a minute.');

async function provide(name, packages, install) {
  try {
    await steps.run(name, install);
  } catch (error) {
    const hints = [`as root: apt-get install ${packages.join(' ')}`, elsewhere];
    printFailure(new Failure(`${name}: it could not be installed`, { detail: error.message, hints }), 'setup:offline');
    process.exitCode = 1;
  }
}

function textPackages() {
  const pairs = ['eng-spa', 'es-pt', 'fr-es', 'spa-ita', 'spa-cat', 'eo-en'];
  return ['apertium', ...pairs.map((pair) => `apertium-${pair}`)];
}
