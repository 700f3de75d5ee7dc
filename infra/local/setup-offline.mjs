// npm run setup:offline: the offline translation engine, when npm start could not bring it along.
import { installApertium } from './apertium.mjs';
import { printFailure, Failure } from './failure.mjs';
import { dataDirOf } from './project.mjs';
import { createSteps } from './steps.mjs';

let result;
try {
  await createSteps().run('offline engine', async () => {
    result = await installApertium(dataDirOf());
    return result.dir === '/' ? "the system's Apertium" : result.dir;
  });
  console.log(`\nIt translates: "The house is big." → "${result.sample}"\nA running product finds it within a minute.`);
} catch (error) {
  const ways = [
    'as root: apt-get install apertium apertium-eng-spa apertium-es-pt apertium-fr-es apertium-spa-ita apertium-spa-cat apertium-eo-en',
    'elsewhere than on Debian or Ubuntu: run the container image (infra/Dockerfile), which has it',
  ];
  printFailure(
    new Failure('the offline engine could not be installed', { detail: error.message, ways }),
    'setup:offline',
  );
  process.exitCode = 1;
}
