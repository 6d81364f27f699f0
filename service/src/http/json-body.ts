import { ApiError, validationFailed } from './errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body as a value, undefined where there is none; throws 415 or 400. */
export function parseJsonBody(contentType: string | undefined, encoding: string | undefined, bytes: unknown): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined
  if (!isJson(contentType))
    throw new ApiError(
      'unsupported_media_type',
      'The body must be sent as application/json: set the Content-Type header.',
    )
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError('unsupported_media_type', 'The body must be sent as it is, without a Content-Encoding.')
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw validationFailed([{ detail: 'The body is not valid JSON in UTF-8.', pointer: '' }])
  }
}

function isJson(contentType: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(contentType ?? '')
}
