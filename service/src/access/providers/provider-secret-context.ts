import type { ProviderType } from './provider-directory.sql.ts'

/** Returns the encryption context of a provider's secrets, so that no other value can be opened as one of them. */
export function providerSecretContext(type: ProviderType, providerId: string): string {
  return `${type.replace('_', ' ')} ${providerId} secret`
}
