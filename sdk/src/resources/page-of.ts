import type { PageOptions } from '../options.ts'
import type { Sending } from '../transport.ts'

/** A page of a list as it is sent. */
export function pageOf(
  { limit, offset, direction, ...options }: PageOptions,
  params: Record<string, string> = {},
  query: Record<string, string | undefined> = {},
): Sending {
  return { params, query: { limit, offset, direction, ...query }, options }
}
