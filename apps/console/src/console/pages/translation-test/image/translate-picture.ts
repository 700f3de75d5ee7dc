import type { Response } from '@yiqiao/contracts/endpoint';
import { translateImage } from '@yiqiao/contracts/media';
import { upload } from '../../../../shared/api/upload.js';
import type { Direction } from '../abilities.js';
import type { Transport } from '../media/use-errand.js';
import type { Picture } from './picture.js';

export type AskedPicture = Direction & { picture: Picture };
export type Drawn = Response<typeof translateImage>;
export type Block = Drawn['blocks'][number];

/** Has the text of a picture translated and the picture redrawn. Throws ApiError. */
export const translatePicture = ({ picture, source, target }: AskedPicture, transport: Transport): Promise<Drawn> =>
  upload(translateImage, { file: picture.file, fields: { source, target } }, transport);
