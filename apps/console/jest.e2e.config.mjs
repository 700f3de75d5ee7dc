import { jestConfig } from '../../infra/jest.mjs';

// One browser at a time, against a running system: BASE_URL and SANDBOX_URL say where (e2e/support/places.ts).
export default jestConfig({
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/e2e'],
  testMatch: ['**/*.e2e.ts'],
  maxWorkers: 1,
  testTimeout: 120_000,
});
