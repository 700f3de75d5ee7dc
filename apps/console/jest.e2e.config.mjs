import { jestConfig } from '../../infra/jest.mjs';

// Each file with members of its own, against a running system: BASE_URL and SANDBOX_URL say where (e2e/support/environment.ts).
export default jestConfig({
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/e2e'],
  testMatch: ['**/*.e2e.ts'],
  setupFilesAfterEnv: ['<rootDir>/e2e/support/close-browser.ts'],
  testTimeout: 180_000,
});
