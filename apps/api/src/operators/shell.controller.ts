import { Controller } from '@nestjs/common';
import type { Answer } from '@yiqiao/contracts/endpoint';
import { getShell } from '@yiqiao/contracts/operator/shell';
import { Clock } from '../platform/clock.js';
import { Config } from '../platform/config.js';
import { Endpoint } from '../platform/endpoint.js';

/** The frame around every page of the operator console. */
@Controller()
export class ShellController {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Endpoint(getShell)
  shell(): Answer<typeof getShell> {
    const { env, operatorEnvironment: environment, publicUrl: site } = this.config;
    return { environment, site, timeZone: env.APP_TIMEZONE, now: this.clock.toWire(this.clock.now()) };
  }
}
