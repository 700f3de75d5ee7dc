import { Global, Module } from '@nestjs/common';
import { Plans } from './plans.js';

@Global()
@Module({ providers: [Plans], exports: [Plans] })
export class PlansModule {}
