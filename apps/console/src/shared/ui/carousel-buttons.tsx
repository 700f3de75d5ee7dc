import './carousel.css';
import { useMessages } from '../i18n/messages.js';
import { Icon, type IconName } from './icon.js';
import type { Carousel } from './use-carousel.js';

type RoundButtonProps = { icon: IconName; label: string; className?: string; onPress: () => void };

export function RoundButton({ icon, label, className = '', onPress }: RoundButtonProps) {
  return (
    <button type="button" className={`rb ${className}`} aria-label={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}

/** Stops what moves by itself, for good. Not shown where nothing does: to people who ask for less motion. */
export function PauseButton({ carousel: { paused, togglePause } }: { carousel: Carousel }) {
  const t = useMessages('shared');
  return (
    <RoundButton
      icon={paused ? 'play' : 'pause'}
      label={t(paused ? 'play' : 'pause')}
      className="rb-pause"
      onPress={togglePause}
    />
  );
}

/** Previous and next, round and round. */
export function StepButtons({ carousel: { at, go } }: { carousel: Carousel }) {
  const t = useMessages('shared');
  return (
    <>
      <RoundButton icon="back" label={t('previous')} onPress={() => go(at - 1)} />
      <RoundButton icon="forward" label={t('next')} onPress={() => go(at + 1)} />
    </>
  );
}
