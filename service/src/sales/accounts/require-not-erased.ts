import { ApiError } from '../../platform/api/errors/errors.ts'
import { accountErrors } from './account.errors.ts'

/** Throws account_erased for an account without personal data: nothing may add new data to it. */
export function requireNotErased({ erasedAt }: { readonly erasedAt: Date | null }): void {
  if (erasedAt)
    throw new ApiError(
      accountErrors.account_erased,
      `The personal data of the account was erased on ${erasedAt.toISOString().slice(0, 10)}. Create a new account.`,
    )
}
