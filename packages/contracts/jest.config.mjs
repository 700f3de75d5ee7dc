import { jestConfig } from '../../infra/jest.mjs';

export default jestConfig({ rootDir: import.meta.dirname });
