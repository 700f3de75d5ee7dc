import { useTexts } from '../../../../shared/i18n/texts.js';
import type { MediaAbilities } from '../media/media-abilities.js';
import { Cannot, MediaFrame } from '../media/media-frame.js';
import { useMediaDesk } from '../media/use-media-desk.js';
import type { Catalogue } from '../use-catalogue.js';
import type { Note } from '../visits.js';
import { VoiceWorkspace } from './voice-workspace.js';

type VoiceDeskProps = { catalogue: Catalogue; note: Note; active: boolean };

/** The voice tab. */
export function VoiceDesk(props: VoiceDeskProps) {
  return <MediaFrame kind="voice">{(abilities) => <Able {...props} abilities={abilities} />}</MediaFrame>;
}

function Able({ abilities, catalogue, ...rest }: VoiceDeskProps & { abilities: MediaAbilities }) {
  const media = useTexts('media');
  const desk = useMediaDesk({ catalogue, abilities, kind: 'voice' });
  if (desk.nothing) return <Cannot kind="voice">{media('nothing')}</Cannot>;
  return <VoiceWorkspace desk={desk} abilities={abilities} {...rest} />;
}
