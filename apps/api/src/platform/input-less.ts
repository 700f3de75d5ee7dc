import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { nothing, type Endpoint as Contract } from '@yiqiao/contracts/endpoint';
import { Refusal } from '@yiqiao/domain/errors';
import type { FastifyRequest } from 'fastify';
import { CONTRACT } from './contract-of.js';
import { refusalOf } from './input-pipe.js';

/**
 * What no `@Input` would see. Endpoints that take nothing have none that would be validated: here whatever is sent to them all the same is
 * refused. So is a file where none is taken.
 */
@Injectable()
export class InputLess implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const contract = this.reflector.get<Contract | undefined>(CONTRACT, context.getHandler());
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (contract && !contract.upload && request.isMultipart()) throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
    if (contract?.request === nothing) {
      const { error } = nothing.safeParse((contract.method === 'GET' ? request.query : request.body) ?? {});
      if (error) throw refusalOf(error.issues);
    }
    return true;
  }
}
