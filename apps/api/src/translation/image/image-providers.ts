import { PictureWorkers } from '../engines/picture-workers.js';
import { ImageOrders } from './image-orders.js';
import { ImageTexts } from './image-texts.js';
import { ListMediaAbilitiesHandler } from './list-media-abilities.js';
import { OfflineReader } from './offline-reader.js';
import { PictureReaders } from './picture-readers.js';
import { Pictures } from './pictures.js';
import { TranslateImageHandler } from './translate-image.js';
import { VisionReader } from './vision-reader.js';

/** What the translation module needs for pictures. */
export const IMAGE_PROVIDERS = [
  PictureWorkers,
  OfflineReader,
  VisionReader,
  PictureReaders,
  Pictures,
  ImageTexts,
  ImageOrders,
  TranslateImageHandler,
  ListMediaAbilitiesHandler,
];
