/** Loaded before each test file (jest.e2e.config.mjs). */
import { afterAll } from '@jest/globals';
import { closeBrowser } from './browser.js';

afterAll(closeBrowser);
