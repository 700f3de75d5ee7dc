import { describe, expect, it } from '@jest/globals';

import { readConfig, StartupError } from './config.js';

describe('the configuration', () => {
  it('listens on this machine only, next to the product, and stores nothing by default', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      httpPort: 8081,
      smtpPort: 8082,
      dataDir: null,
      gatewaysFile: null,
      operatorsFile: null,
    });
  });

  it('is read from the environment', () => {
    const env = {
      SANDBOX_PORT: '9001',
      SMTP_PORT: '9002',
      HOST: '0.0.0.0',
      DATA_DIR: '/data',
      SANDBOX_GATEWAYS: '/k',
      DEMO_OPERATORS: '/o',
    };
    expect(readConfig(env)).toEqual({
      host: '0.0.0.0',
      httpPort: 9001,
      smtpPort: 9002,
      dataDir: '/data',
      gatewaysFile: '/k',
      operatorsFile: '/o',
    });
  });

  it('rejects production', () => {
    expect(() => readConfig({ NODE_ENV: 'production' })).toThrow(StartupError);
  });

  it.each(['80a', '-1', '65536', '1.5'])('names the variable of an invalid port: %s', (value) => {
    expect(() => readConfig({ SMTP_PORT: value })).toThrow(/SMTP_PORT/);
  });

  it('rejects the same port for both servers', () => {
    expect(() => readConfig({ SANDBOX_PORT: '9001', SMTP_PORT: '9001' })).toThrow(/both 9001/);
  });
});
