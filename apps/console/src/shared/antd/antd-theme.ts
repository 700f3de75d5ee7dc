/** antd's theme, mirrored from tokens.css (DESIGN §6). */
import { theme as antd, type MappingAlgorithm, type ThemeConfig } from 'antd';
import { colours, strongColours } from './antd-colours.js';

// The stack of tokens.css for the page's language; antd reads it as a CSS variable, not as a seed.
const fontFamily = 'var(--f-sans)';

type Colours = (typeof colours)['light'];

/** The palette of an antd algorithm, with our seed colours as tokens.css has them: antd's dark algorithm would dim them. */
const keeping =
  (palette: MappingAlgorithm, c: Colours): MappingAlgorithm =>
  (seed, derived) => ({
    ...palette(seed, derived),
    colorPrimary: c.accent,
    colorInfo: c.accent,
    colorLink: c.accent,
    colorSuccess: c.success,
    colorWarning: c.warning,
    colorError: c.danger,
  });
// Made once: antd recognises an algorithm by its identity.
const algorithms = {
  light: keeping(antd.defaultAlgorithm, colours.light),
  dark: keeping(antd.darkAlgorithm, colours.dark),
};

type Preferences = { mode: 'light' | 'dark'; reducedMotion: boolean; moreContrast: boolean };

export function consoleTheme({ mode, reducedMotion, moreContrast }: Preferences): ThemeConfig {
  const c = (moreContrast ? strongColours : colours)[mode];
  return {
    algorithm: algorithms[mode],
    cssVar: { prefix: 'yq', key: `yq-${mode}${moreContrast ? '-strong' : ''}` },
    token: {
      colorPrimary: c.accent,
      colorPrimaryHover: c.accentHover,
      colorPrimaryActive: c.accentActive,
      colorPrimaryBg: c.accentSoft,
      colorPrimaryBgHover: c.accentSoft2,
      // antd draws its focus ring with it.
      colorPrimaryBorder: c.focus,
      colorInfo: c.accent,
      colorSuccess: c.success,
      colorWarning: c.warning,
      colorError: c.danger,
      colorLink: c.accent,
      colorLinkHover: c.accentHover,
      colorLinkActive: c.accentActive,
      linkHoverDecoration: 'underline',
      colorText: c.text,
      colorTextSecondary: c.text2,
      colorTextTertiary: c.text3,
      colorTextDescription: c.text3,
      colorTextPlaceholder: c.text3,
      colorTextQuaternary: c.text3,
      colorTextDisabled: c.text3,
      colorTextHeading: c.text,
      colorTextLightSolid: c.onAccent,
      colorBgLayout: c.bg,
      colorBgContainer: c.surface,
      colorBgElevated: c.raised,
      colorBgContainerDisabled: c.sunken,
      colorBgMask: c.scrim,
      colorBorder: c.lineStrong,
      colorBorderSecondary: c.line,
      colorSplit: c.lineSoft,
      colorFillAlter: c.sunken,
      controlItemBgHover: c.sunken,
      controlItemBgActive: c.accentSoft,
      controlOutline: c.accentSoft2,
      controlOutlineWidth: 3,
      fontFamily,
      fontFamilyCode: '"JetBrains Mono",ui-monospace,SFMono-Regular,Consolas,monospace',
      fontSize: 14,
      fontSizeSM: 13,
      fontSizeLG: 16,
      lineHeight: 1.5715,
      borderRadius: 6,
      borderRadiusSM: 4,
      borderRadiusXS: 3,
      borderRadiusLG: 10,
      controlHeight: 40,
      controlHeightSM: 32,
      controlHeightLG: 48,
      lineWidthFocus: 2,
      wireframe: false,
      motion: !reducedMotion,
      motionDurationFast: '0.12s',
      motionDurationMid: '0.2s',
      motionDurationSlow: '0.42s',
      motionEaseOut: 'cubic-bezier(.2,.7,.2,1)',
      boxShadow: '0 8px 24px -8px rgba(11,26,32,.16),0 2px 6px rgba(11,26,32,.06)',
      boxShadowTertiary: 'none',
    },
    components: {
      Layout: { headerBg: c.surface, headerHeight: 56, headerPadding: '0 24px', siderBg: c.surface, bodyBg: c.bg },
      Menu: {
        itemHeight: 40,
        itemBorderRadius: 6,
        itemMarginInline: 12,
        itemColor: c.text2,
        itemHoverBg: c.sunken,
        itemHoverColor: c.text,
        itemSelectedBg: c.accentSoft,
        itemSelectedColor: c.accent,
        groupTitleColor: c.text3,
        groupTitleFontSize: 12,
        activeBarBorderWidth: 0,
        iconSize: 17,
      },
      Button: {
        primaryShadow: 'none',
        defaultShadow: 'none',
        dangerShadow: 'none',
        fontWeight: 500,
        paddingInline: 18,
        defaultHoverBorderColor: c.accent,
        defaultHoverColor: c.accent,
        primaryColor: c.onAccent,
      },
      Table: {
        headerBg: c.sunken,
        headerColor: c.text2,
        headerSplitColor: 'transparent',
        borderColor: c.lineSoft,
        rowHoverBg: c.accentSoft,
        rowSelectedBg: c.accentSoft,
        rowSelectedHoverBg: c.accentSoft2,
        rowExpandedBg: c.sunken,
        fontWeightStrong: 500,
        cellPaddingBlock: 8,
        cellPaddingInline: 12,
        cellFontSize: 14,
        headerBorderRadius: 0,
      },
      Card: { headerBg: 'transparent', headerFontSize: 16, bodyPadding: 24, headerPadding: 24 },
      Tabs: {
        inkBarColor: c.accent,
        itemSelectedColor: c.text,
        itemHoverColor: c.text,
        itemColor: c.text2,
        horizontalItemGutter: 28,
        titleFontSize: 14,
      },
      // The line of the message is kept free, so that nothing jumps (DESIGN §4).
      Form: { itemMarginBottom: 22 },
      Modal: { contentBg: c.raised, headerBg: c.raised, titleFontSize: 20 },
      Input: {
        activeShadow: `0 0 0 3px ${c.accentSoft2}`,
        colorBorder: c.control,
        hoverBorderColor: c.accent,
        activeBorderColor: c.accent,
        paddingInline: 14,
      },
      InputNumber: { activeShadow: `0 0 0 3px ${c.accentSoft2}`, handleVisible: true },
      DatePicker: { colorBorder: c.control, activeShadow: `0 0 0 3px ${c.accentSoft2}` },
      Select: {
        colorBorder: c.control,
        optionActiveBg: c.line,
        optionSelectedBg: c.accentSoft,
        optionSelectedColor: c.accent,
      },
      Checkbox: { colorBorder: c.control },
      Radio: { colorBorder: c.control },
      Tag: { defaultBg: c.sunken, defaultColor: c.text2 },
      Switch: { trackHeight: 20, handleSize: 16, trackMinWidth: 36, trackPadding: 2 },
      Segmented: {
        trackBg: c.sunken,
        itemSelectedBg: c.accentSoft,
        itemSelectedColor: c.accent,
        boxShadowTertiary: `inset 0 0 0 1px ${c.accent}`,
      },
      Pagination: { itemActiveBg: 'transparent' },
      Skeleton: { gradientFromColor: c.sunken, gradientToColor: c.lineSoft, blockRadius: 3 },
      Statistic: { contentFontSize: 20, titleFontSize: 13 },
      Steps: { iconSize: 24 },
    },
  };
}
