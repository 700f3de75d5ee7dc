import type { RefSelectProps } from 'antd';
import type { ReactNode, Ref } from 'react';
import { Link } from 'react-router';
import { isMain, useMember } from '../../../../shared/auth/user.js';
import { useMessages } from '../../../../shared/i18n/messages.js';
import { TableSkeleton } from '../../../shared/ui/table-skeleton.js';
import { Empty } from '../../../../shared/ui/empty.js';
import { ErrorState } from '../../../../shared/ui/error-state.js';
import { LanguageSelect, SourceBar } from '../language-bars.js';
import type { MediaAbilities, MediaKind } from './media-abilities.js';
import { type MediaForm, useMediaAbilities } from './use-media-form.js';
import './media.css';

const CANNOT = { voice: 'cannotVoice', image: 'cannotImage' } as const;

type MediaFrameProps = { kind: MediaKind; children: (abilities: MediaAbilities) => ReactNode };

/** Loads a channel's abilities for a tab, and explains when the tab is unavailable. */
export function MediaFrame({ kind, children }: MediaFrameProps) {
  const t = useMessages('media');
  const user = useMember();
  const { abilities, failed, reload } = useMediaAbilities(user.tranChannelId);
  if (failed)
    return (
      <ErrorState title={t('abilitiesFailed')} onReload={reload}>
        {failed.message}
      </ErrorState>
    );
  if (abilities === undefined) return <TableSkeleton rows={7} columns={2} />;
  if (abilities?.[kind].available) return children(abilities);
  return <Cannot kind={kind}>{abilities?.[kind].reason ?? t(isMain(user) ? 'cannotWhy' : 'cannotWhySub')}</Cannot>;
}

/** For a main account, which alone can change the channel. */
export function OtherChannel() {
  const t = useMessages('translation-test');
  return (
    <Link className="button button-default" to="/UserCenterIndex?channel=change">
      {t('otherChannel')}
    </Link>
  );
}

/** The tab is unavailable: the reason, and for a main account a link to change the channel. */
export function Cannot({ kind, children }: { kind: MediaKind; children: ReactNode }) {
  const t = useMessages('media');
  const main = isMain(useMember());
  return (
    <Empty title={t(CANNOT[kind])} action={main && <OtherChannel />}>
      {children}
    </Empty>
  );
}

type MediaBarsProps = {
  form: MediaForm;
  targetLabel: string;
  ref: Ref<RefSelectProps>;
};

/** The source and target language, and the channel. */
export function MediaBars({ form, targetLabel, ref }: MediaBarsProps) {
  const t = useMessages('media');
  const { direction, setDirection, targets, channel, payer } = form;
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
          <span>{t('through', { name: channel.name })}</span>
          {payer.own.main && (
            <Link className="link" to="/UserCenterIndex?channel=change">
              {t('change')}
            </Link>
          )}
        </span>
      </div>
    </>
  );
}
