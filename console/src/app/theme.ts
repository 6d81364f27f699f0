import { type CSSVariablesResolver, createTheme } from '@mantine/core'

const small = { defaultProps: { size: 'xs' } }

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  defaultRadius: 'sm',
  // Mantine's greys are neutral. In the dark scheme, fields and menus take the hue of the cards they are on.
  colors: {
    dark: [
      '#c9ccd1',
      '#b8bcc2',
      '#868c94',
      '#686e76',
      '#424850',
      '#383d44',
      '#2a2e34',
      '#22262b',
      '#1c1f23',
      '#131518',
    ],
  },
  fontFamily: 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '13px', sm: '13px', md: '13px', lg: '16px', xl: '20px' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '16px' }, h2: { fontSize: '14px' }, h3: { fontSize: '13px' } },
  },
  respectReducedMotion: true,
  components: {
    Button: small,
    TextInput: small,
    Textarea: small,
    Select: small,
    Checkbox: small,
    Modal: { defaultProps: { transitionProps: { duration: 120 }, centered: true } },
    Menu: { defaultProps: { transitionProps: { duration: 120 }, position: 'bottom-end', shadow: 'md' } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
})

/** Dimmed text two shades stronger than Mantine's, which is too light for small type. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#4b535b',
    '--mantine-color-placeholder': '#5c646c',
    '--page': '#f7f8f9',
    '--card': '#ffffff',
    '--line': '#e1e4e8',
    '--text-strong': '#16191d',
    '--tone-waiting': '#5c646c',
    '--tone-progress': '#1862ab',
    '--tone-done': '#1f7a3d',
    '--tone-attention': '#995200',
    '--tone-failed': '#b42318',
    '--tint-attention': '#fff8e6',
    '--tint-failed': '#fff1f0',
    '--tint-done': '#edf9f0',
    '--row-hover': '#f1f3f6',
  },
  dark: {
    '--mantine-color-dimmed': '#b3b9c1',
    '--mantine-color-placeholder': '#a2a8b0',
    '--mantine-color-body': '#15171a',
    '--page': '#15171a',
    '--card': '#1c1f23',
    '--line': '#32373d',
    '--text-strong': '#f1f3f5',
    '--tone-waiting': '#a8aeb6',
    '--tone-progress': '#74b8f5',
    '--tone-done': '#6fce8d',
    '--tone-attention': '#f2b44c',
    '--tone-failed': '#ff8f85',
    '--tint-attention': '#2c2415',
    '--tint-failed': '#2e1b1a',
    '--tint-done': '#17271c',
    '--row-hover': '#23272c',
  },
})
