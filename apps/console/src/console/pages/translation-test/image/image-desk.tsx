import { useTexts } from '../../../../shared/i18n/texts.js';
import { MediaFrame, Cannot } from '../media/media-frame.js';
import { useMediaDesk, type MediaDesk } from '../media/use-media-desk.js';
import type { MediaAbilities } from '../media/media-abilities.js';
import type { Catalogue } from '../use-catalogue.js';
import type { Note } from '../visits.js';
import { ImageWorkspace } from './image-workspace.js';

type ImageDeskProps = { catalogue: Catalogue; note: Note; active: boolean };

/** The image tab. */
export function ImageDesk(props: ImageDeskProps) {
  return <MediaFrame kind="image">{(abilities) => <Able {...props} abilities={abilities} />}</MediaFrame>;
}

function Able({ abilities, catalogue, ...rest }: ImageDeskProps & { abilities: MediaAbilities }) {
  const media = useTexts('media');
  const desk: MediaDesk = useMediaDesk({ catalogue, abilities, kind: 'image' });
  if (desk.nothing) return <Cannot kind="image">{media('nothing')}</Cannot>;
  return <ImageWorkspace desk={desk} known={abilities.image.reason} {...rest} />;
}
