import { jestConfig } from '../../infra/jest.mjs';

export default jestConfig({ rootDir: import.meta.dirname, roots: ['<rootDir>/src'], testMatch: ['**/*.spec.ts'] });
