import { jestConfig } from '../../infra/jest.mjs';

export default jestConfig({
  rootDir: import.meta.dirname,
  setupFilesAfterEnv: ['<rootDir>/test/support/second-try.ts'],
});
