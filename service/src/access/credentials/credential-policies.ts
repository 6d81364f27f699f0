import type { Policy } from '../../platform/api/declare/approval.ts'
import { isSensitiveScope, readsPersonalData, type Scope } from '../../platform/api/declare/scopes.ts'

/**
 * Returns what a tenant decides about a credential with these scopes. One that reads personal data needs what an export
 * of the same data needs: otherwise one person could issue it alone and read what they may not export.
 */
export function credentialPolicies(scopes: readonly Scope[] = []): readonly Policy[] {
  return [
    ...(scopes.some(isSensitiveScope) ? (['write_credential'] as const) : []),
    ...(scopes.some(readsPersonalData) ? (['personal_data_export'] as const) : []),
  ]
}
