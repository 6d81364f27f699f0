import type { Policy } from '../../platform/api/declare/approval.ts'
import { isSensitiveScope, readsPersonalData, type Scope } from '../../platform/api/declare/scopes.ts'

/**
 * Returns the policies for a credential with these scopes. One that reads personal data needs a second person if an
 * export of the same data does: otherwise one person could issue it alone and read data that they may not export.
 */
export function credentialPolicies(scopes: readonly Scope[] = []): readonly Policy[] {
  return [
    ...(scopes.some(isSensitiveScope) ? (['write_credential'] as const) : []),
    ...(scopes.some(readsPersonalData) ? (['personal_data_export'] as const) : []),
  ]
}
