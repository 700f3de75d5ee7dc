import { jestConfig } from '../../infra/jest.mjs';

export default jestConfig({
  rootDir: import.meta.dirname,
  // Other programs are started too, on cores that are busy.
  testTimeout: 120_000,
});
