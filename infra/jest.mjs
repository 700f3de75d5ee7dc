// One jest setup for every workspace: ESM, TypeScript through swc, workspace packages read from their sources.
// Run with NODE_OPTIONS=--experimental-vm-modules (infra/local/test-runner.mjs sets it).
export const jestConfig = ({ rootDir, ...rest }) => ({
  rootDir,
  testEnvironment: 'node',
  // Journeys start real servers on a machine that may be busy.
  testTimeout: 60_000,
  testMatch: ['**/*.spec.ts', '**/*.e2e.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  setupFiles: [`${import.meta.dirname}/jest-seed.mjs`],
  moduleNameMapper: {
    '^@yiqiao/([a-z]+)/(.*)$': `${rootDir}/../../packages/$1/src/$2.ts`,
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', decorators: true, tsx: false },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  ...rest,
});
