// The frame of npm test, bench, chaos and operator: a run folder of its own, an orderly end whatever happens.
import { printFailure } from './failure.mjs';
import { stopTools } from './processes.mjs';
import { dataDirOf } from './project.mjs';
import { takeRunFolder } from './run-folder.mjs';
import { createSteps } from './steps.mjs';
import { whenTold } from './until-told.mjs';

/**
 * @param {object} options
 * @param {string} options.title     names the command in an error
 * @param {string} options.dataDir   the run folder to hold meanwhile
 * @param {boolean} [options.quiet]  no list of steps
 * @param {(session: {folder: object, steps: object, toolsDir: string, adopt: Function, onEnd: Function}) => Promise<number>} work
 *   answers the exit code; parts given to `adopt` and functions given to `onEnd` are stopped and called at the end
 * @returns {Promise<number>} exit code
 */
export async function runSession({ title, dataDir, quiet = false }, work) {
  const steps = createSteps({ quiet });
  const parts = [];
  const endings = [];
  let folder;
  let ending;
  const end = () => {
    ending ??= (async () => {
      steps.end();
      stopTools();
      await Promise.all(endings.map((run) => run()));
      await Promise.all(parts.map((part) => part.stop()));
      folder?.release();
    })();
    return ending;
  };
  whenTold(() => void end().then(() => process.exit(130)));

  const adopt = (part) => {
    parts.push(part);
    part.whenLaunched(() => folder.save({ parts: parts.map((each) => each.identity()).filter(Boolean) }));
  };
  let code = 1;
  try {
    folder = await takeRunFolder(dataDir, steps.say);
    code = await work({ folder, steps, toolsDir: dataDirOf(), adopt, onEnd: (run) => endings.push(run) });
  } catch (error) {
    steps.end();
    if (!ending) printFailure(error, title);
  }
  await end();
  return code;
}
