import type { PageOptions } from '../options.ts'
import type { OperationInput } from '../transport.ts'

/** Returns the input of a list operation for one page. */
export function pageOf(
  { limit, offset, direction, ...options }: PageOptions,
  params: Record<string, string> = {},
  query: Record<string, string | undefined> = {},
): OperationInput {
  return { params, query: { limit, offset, direction, ...query }, options }
}
