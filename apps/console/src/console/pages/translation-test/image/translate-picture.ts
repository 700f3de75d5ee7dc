import type { Response } from '@yiqiao/contracts/endpoint';
import { translateImage } from '@yiqiao/contracts/media';
import { upload } from '../../../shared/api/upload.js';
import type { Direction } from '../abilities.js';
import type { Transport } from '../media/use-media-request.js';
import type { Picture } from './picture.js';

export type PictureRequest = Direction & { picture: Picture; channelId: string | undefined };
export type ImageAnswer = Response<typeof translateImage>;
export type Block = ImageAnswer['blocks'][number];

/** Translates the text of a picture and redraws the picture. Throws ApiError. */
export const translatePicture = (
  { picture, source, target, channelId }: PictureRequest,
  transport: Transport,
): Promise<ImageAnswer> =>
  upload(translateImage, { file: picture.file, fields: { source, target, channelId } }, transport);
