import { Controller, Get, Res, SetMetadata } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { OPEN } from './contract-of.js';
import { Health } from './health.js';

@Controller()
export class HealthController {
  constructor(private readonly health: Health) {}

  @Get('/health')
  @SetMetadata(OPEN, true)
  async get(@Res() reply: FastifyReply): Promise<void> {
    const report = await this.health.report({ needsRedis: false });
    await reply
      .status(report.status === 'unavailable' ? 503 : 200)
      .header('Cache-Control', 'no-store')
      .send(report);
  }
}
