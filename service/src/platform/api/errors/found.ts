import { ApiError } from './errors.ts'
import { requestErrors } from './request.errors.ts'

/** Returns the resource. Throws not_found with this message if the tenant does not have it. */
export function found<Resource>(resource: Resource | undefined, message: string): Resource {
  if (resource === undefined) throw new ApiError(requestErrors.not_found, message)
  return resource
}
