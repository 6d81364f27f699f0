import { ApiError, validationFailed } from '../errors/errors.ts'
import { requestErrors } from '../errors/request.errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Checks the media type of an uploaded file; throws 415. */
export function requireMediaType(
  contentType: string | undefined,
  encoding: string | undefined,
  mediaTypes: readonly string[],
): void {
  const [type = ''] = (contentType ?? '').split(';', 1)
  if (!mediaTypes.includes(type.trim().toLowerCase()))
    throw new ApiError(
      requestErrors.unsupported_media_type,
      `The file must be sent as ${mediaTypes.join(' or ')}: set the Content-Type header.`,
    )
  requireNoEncoding(encoding)
}

function requireNoEncoding(encoding: string | undefined): void {
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError(requestErrors.unsupported_media_type, 'The body must not have a Content-Encoding.')
}

/** Parses the body. Returns undefined if it is empty; throws 415 or 400. */
export function parseJsonBody(contentType: string | undefined, encoding: string | undefined, bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined
  if (!isJson(contentType))
    throw new ApiError(
      requestErrors.unsupported_media_type,
      'The body must be sent as application/json: set the Content-Type header.',
    )
  requireNoEncoding(encoding)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw validationFailed([{ detail: 'The body is not valid JSON in UTF-8.', pointer: '' }])
  }
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(contentType ?? '')
}
