/**
 * The colours of tokens.css as antd needs them: literals, because it derives ramps from them and cannot read var(). antd-theme.spec.ts
 * holds each of them to the token of its name.
 */
const light = {
  accent: '#086F7D',
  accentHover: '#065965',
  accentActive: '#07434C',
  accentSoft: '#EEF6F7',
  accentSoft2: '#DCEDEF',
  bg: '#F5F8F8',
  surface: '#FFFFFF',
  sunken: '#EDF1F2',
  raised: '#FFFFFF',
  text: '#12242B',
  text2: '#4A5D65',
  text3: '#5B6D75',
  control: '#7B8D95',
  line: '#D5DEE1',
  lineSoft: '#E3E9EB',
  lineStrong: '#B6C3C8',
  success: '#1C7148',
  warning: '#8A5A00',
  danger: '#B3352B',
  onAccent: '#FFFFFF',
  scrim: 'rgba(11,26,32,.48)',
  focus: '#0B5FFF',
};
const dark: typeof light = {
  accent: '#4DB8C6',
  accentHover: '#74CAD5',
  accentActive: '#9ADAE2',
  accentSoft: '#10303A',
  accentSoft2: '#173E48',
  bg: '#0A161B',
  surface: '#101F25',
  sunken: '#16282F',
  raised: '#182B33',
  text: '#E8F0F2',
  text2: '#AFC0C6',
  text3: '#8DA1A8',
  control: '#6C828A',
  line: '#26393F',
  lineSoft: '#1D2F36',
  lineStrong: '#3A5059',
  success: '#6CC79A',
  warning: '#E0B25A',
  danger: '#F08A80',
  onAccent: '#06181C',
  scrim: 'rgba(0,0,0,.62)',
  focus: '#8FB8FF',
};

export const colours = { light, dark };

/** With more contrast, as shared/base/preferences.css has it. */
export const strongColours: typeof colours = {
  light: {
    ...light,
    text2: '#12242B',
    text3: '#4A5D65',
    line: '#5B6D75',
    lineSoft: '#5B6D75',
    lineStrong: '#4A5D65',
    control: '#5B6D75',
  },
  dark: {
    ...dark,
    text2: '#E8F0F2',
    text3: '#C6D3D8',
    line: '#9FB3BA',
    lineSoft: '#9FB3BA',
    lineStrong: '#C6D3D8',
    control: '#9FB3BA',
  },
};
