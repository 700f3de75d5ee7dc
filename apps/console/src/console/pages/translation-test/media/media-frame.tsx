import { type RefSelectProps, Select } from 'antd';
import type { ReactNode, Ref } from 'react';
import { isMain, useMember } from '../../../../shared/auth/user.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { TableSkeleton } from '../../../../shared/ui/table-skeleton.js';
import { Empty } from '../../../../shared/ui/empty.js';
import { ErrorState } from '../../../../shared/ui/error-state.js';
import { LanguageSelect, SourceBar } from '../language-bars.js';
import type { Catalogue } from '../use-catalogue.js';
import { usePayer } from '../use-payer.js';
import type { MediaAbilities, MediaKind } from './media-abilities.js';
import { type MediaChannels, type MediaForm, useMediaChannels } from './use-media-form.js';
import './media.css';

const CANNOT = { voice: 'cannotVoice', image: 'cannotImage' } as const;

type MediaFrameProps = {
  kind: MediaKind;
  catalogue: Catalogue;
  children: (able: { abilities: MediaAbilities; channels: MediaChannels }) => ReactNode;
};

/** Loads the channels' abilities for a tab, and explains when the tab is unavailable. */
export function MediaFrame({ kind, catalogue, children }: MediaFrameProps) {
  const t = useMessages('media');
  const user = useMember();
  const { channels, abilities, failed, reload } = useMediaChannels(kind, catalogue);
  if (failed)
    return (
      <ErrorState title={t('abilitiesFailed')} onReload={reload}>
        {failed.message}
      </ErrorState>
    );
  if (abilities === undefined) return <TableSkeleton rows={7} columns={2} />;
  if (abilities?.[kind].available) return children({ abilities, channels });
  return (
    <Cannot kind={kind} channels={channels}>
      {abilities?.[kind].reason ?? t(isMain(user) ? 'cannotWhy' : 'cannotWhySub')}
    </Cannot>
  );
}

/** Chooses the channel of the next request; the recording, the picture and the result stay. */
function ChannelSelect({
  channels: { id, options, choose },
  ref,
}: {
  channels: MediaChannels;
  ref?: Ref<RefSelectProps>;
}) {
  const t = useMessages('media');
  const say = useMessages('translation-test');
  return (
    <Select<number>
      ref={ref}
      className="md-channel"
      variant="borderless"
      aria-label={t('channel')}
      value={id}
      onChange={choose}
      popupMatchSelectWidth={false}
      options={options.map(({ id: value, name, own, why }) => ({
        value,
        label: name,
        own,
        why,
        disabled: why !== null,
      }))}
      optionRender={({ data }) => (
        <span className="md-channel-option">
          {data.label}
          {data.own && <span className="badge transfer">{say('yours')}</span>}
          {data.why !== null && <small>{data.why}</small>}
        </span>
      )}
    />
  );
}

type CannotProps = { kind: MediaKind; channels: MediaChannels; children: ReactNode };

/** The tab is unavailable: the reason, and for a main account the other channels, if one can do it. */
export function Cannot({ kind, channels, children }: CannotProps) {
  const t = useMessages('media');
  const say = useMessages('translation-test');
  const { own, mode } = usePayer();
  const someCan = channels.options.some(({ why }) => why === null);
  return (
    <Empty title={t(CANNOT[kind])} action={own.main && someCan && <ChannelSelect channels={channels} />}>
      {children} {own.main && (someCan ? t('cannotSwitch') : say(mode === 'time' ? 'noOtherIncluded' : 'noOther'))}
    </Empty>
  );
}

type MediaBarsProps = {
  form: MediaForm;
  targetLabel: string;
  ref: Ref<RefSelectProps>;
  channelRef: Ref<RefSelectProps>;
};

/** The source and target language, and the channel. */
export function MediaBars({ form, targetLabel, ref, channelRef }: MediaBarsProps) {
  const t = useMessages('media');
  const { direction, setDirection, targets, channel, channels, payer } = form;
  return (
    <>
      <SourceBar ref={ref} form={form} detected={null} onTurn={setDirection} onSwap={setDirection} />
      <div className="tt-bar tt-bar-target">
        <LanguageSelect
          label={targetLabel}
          value={direction.target}
          groups={targets}
          onChange={(target) => setDirection({ ...direction, target })}
        />
        <span className="tt-channel">
          {payer.own.main ? (
            <>
              <span aria-hidden="true">{t('channel')}</span>
              <ChannelSelect ref={channelRef} channels={channels} />
            </>
          ) : (
            <span>{t('through', { name: channel.name })}</span>
          )}
        </span>
      </div>
    </>
  );
}
