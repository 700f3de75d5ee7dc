import type { Response } from '@yiqiao/contracts/endpoint';
import type { listMapping } from '@yiqiao/contracts/plans';

/** What the family would have on another channel, as the server works it out. */
export type ChannelPreview = Response<typeof listMapping>[number];
