// The build is turbo's: it knows by content which workspaces changed and restores the others from its cache.
import { Failure } from './failure.mjs';
import { runTool } from './processes.mjs';
import { pinnedNode, projectEnv, root } from './project.mjs';
import path from 'node:path';

export async function build() {
  const turbo = path.join(root, 'node_modules/turbo/bin/turbo');
  const args = [turbo, 'run', 'build', '--output-logs=errors-only'];
  const { code, output } = await runTool(pinnedNode, args, { cwd: root, env: projectEnv() });
  if (code !== 0) {
    const lines = output.split('\n').filter((line) => line.trim() && !/^\s+•|npm error|:build: $/.test(line));
    throw new Failure(`the build ended with ${code}`, { detail: lines.slice(-40).join('\n') });
  }
  return /FULL TURBO/.test(output) ? 'unchanged' : '';
}
