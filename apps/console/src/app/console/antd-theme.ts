/**
 * antd's theme, mirrored from tokens.css (DESIGN §6). Seed colours are literals: antd derives ramps from them and cannot read
 * var(). Whoever changes a token there changes it here.
 */
import { theme as antd, type ThemeConfig } from 'antd';

// The stack of tokens.css for the page's language; antd reads it as a CSS variable, not as a seed.
const fontFamily = 'var(--f-sans)';

const light = {
  accent: '#086F7D', accentHover: '#065965', accentActive: '#07434C', accentSoft: '#EEF6F7', accentSoft2: '#DCEDEF',
  bg: '#F5F8F8', surface: '#FFFFFF', sunken: '#EDF1F2', raised: '#FFFFFF',
  text: '#12242B', text2: '#4A5D65', text3: '#5B6D75', line: '#D5DEE1', lineSoft: '#E3E9EB', lineStrong: '#B6C3C8',
  success: '#1C7148', warning: '#8A5A00', danger: '#B3352B', onAccent: '#FFFFFF', scrim: 'rgba(11,26,32,.48)',
};
const dark: typeof light = {
  accent: '#4DB8C6', accentHover: '#74CAD5', accentActive: '#9ADAE2', accentSoft: '#10303A', accentSoft2: '#173E48',
  bg: '#0A161B', surface: '#101F25', sunken: '#16282F', raised: '#182B33',
  text: '#E8F0F2', text2: '#AFC0C6', text3: '#8DA1A8', line: '#26393F', lineSoft: '#1D2F36', lineStrong: '#3A5059',
  success: '#6CC79A', warning: '#E0B25A', danger: '#F08A80', onAccent: '#06181C', scrim: 'rgba(0,0,0,.62)',
};

export function consoleTheme(mode: 'light' | 'dark', reducedMotion: boolean): ThemeConfig {
  const c = mode === 'dark' ? dark : light;
  return {
    algorithm: mode === 'dark' ? antd.darkAlgorithm : antd.defaultAlgorithm,
    cssVar: { prefix: 'yq', key: `yq-${mode}` },
    token: {
      colorPrimary: c.accent, colorPrimaryHover: c.accentHover, colorPrimaryActive: c.accentActive,
      colorPrimaryBg: c.accentSoft, colorPrimaryBgHover: c.accentSoft2,
      colorInfo: c.accent, colorSuccess: c.success, colorWarning: c.warning, colorError: c.danger,
      colorLink: c.accent, colorLinkHover: c.accentHover, colorLinkActive: c.accentActive, linkHoverDecoration: 'underline',
      colorText: c.text, colorTextSecondary: c.text2, colorTextTertiary: c.text3, colorTextDescription: c.text3,
      colorTextPlaceholder: c.text3, colorTextHeading: c.text, colorTextLightSolid: c.onAccent,
      colorBgLayout: c.bg, colorBgContainer: c.surface, colorBgElevated: c.raised, colorBgMask: c.scrim,
      colorBorder: c.lineStrong, colorBorderSecondary: c.line, colorSplit: c.lineSoft, colorFillAlter: c.sunken,
      controlItemBgHover: c.sunken, controlItemBgActive: c.accentSoft, controlOutline: c.accentSoft2, controlOutlineWidth: 3,
      fontFamily, fontFamilyCode: '"JetBrains Mono",ui-monospace,SFMono-Regular,Consolas,monospace',
      fontSize: 14, fontSizeSM: 13, fontSizeLG: 16, lineHeight: 1.5715,
      borderRadius: 6, borderRadiusSM: 4, borderRadiusXS: 3, borderRadiusLG: 10,
      controlHeight: 40, controlHeightSM: 32, controlHeightLG: 48, lineWidthFocus: 2, wireframe: false,
      motion: !reducedMotion, motionDurationFast: '0.12s', motionDurationMid: '0.2s', motionDurationSlow: '0.42s', motionEaseOut: 'cubic-bezier(.2,.7,.2,1)',
      boxShadow: '0 8px 24px -8px rgba(11,26,32,.16),0 2px 6px rgba(11,26,32,.06)', boxShadowTertiary: 'none',
    },
    components: {
      Layout: { headerBg: c.surface, headerHeight: 56, headerPadding: '0 24px', siderBg: c.surface, bodyBg: c.bg },
      Menu: { itemHeight: 40, itemBorderRadius: 6, itemMarginInline: 12, itemColor: c.text2, itemHoverBg: c.sunken, itemHoverColor: c.text, itemSelectedBg: c.accentSoft, itemSelectedColor: c.accent, groupTitleColor: c.text3, groupTitleFontSize: 12, activeBarBorderWidth: 0, iconSize: 17 },
      Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none', fontWeight: 500, paddingInline: 18, defaultHoverBorderColor: c.accent, defaultHoverColor: c.accent, primaryColor: c.onAccent },
      Table: { headerBg: c.sunken, headerColor: c.text2, headerSplitColor: 'transparent', borderColor: c.lineSoft, rowHoverBg: c.accentSoft, rowSelectedBg: c.accentSoft, rowSelectedHoverBg: c.accentSoft2, cellPaddingBlock: 14, cellPaddingInline: 12, cellFontSize: 14, headerBorderRadius: 0 },
      Card: { headerBg: 'transparent', headerFontSize: 16, bodyPadding: 24, headerPadding: 24 },
      Tabs: { inkBarColor: c.accent, itemSelectedColor: c.text, itemHoverColor: c.text, itemColor: c.text2, horizontalItemGutter: 28, titleFontSize: 14 },
      Modal: { contentBg: c.raised, headerBg: c.raised, titleFontSize: 20 },
      Input: { activeShadow: `0 0 0 3px ${c.accentSoft2}`, hoverBorderColor: c.accent, activeBorderColor: c.accent, paddingInline: 14 },
      InputNumber: { activeShadow: `0 0 0 3px ${c.accentSoft2}`, handleVisible: true },
      Select: { optionSelectedBg: c.accentSoft, optionSelectedColor: c.accent },
      Tag: { defaultBg: c.sunken, defaultColor: c.text2 },
      Switch: { trackHeight: 20, handleSize: 16, trackMinWidth: 36, trackPadding: 2 },
      Pagination: { itemActiveBg: 'transparent' },
      Skeleton: { gradientFromColor: c.sunken, gradientToColor: c.lineSoft, blockRadius: 3 },
      Statistic: { contentFontSize: 20, titleFontSize: 13 },
      Steps: { iconSize: 24 },
    },
  };
}
