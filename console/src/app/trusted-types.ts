/**
 * Mantine writes style sheets with innerHTML, which Trusted Types reject. The default policy permits text that cannot
 * be markup and rejects everything else. Must run before any component.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (text: string) => string | null }): unknown
}

const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
trustedTypes?.createPolicy('default', { createHTML: (text) => (text.includes('<') ? null : text) })
