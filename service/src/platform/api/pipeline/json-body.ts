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
export function parseJsonBody(
  contentType: string | undefined,
  encoding: string | undefined,
  bytes: unknown,
  valuesMax: number,
): unknown {
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) return undefined
  if (!isJson(contentType))
    throw new ApiError(
      requestErrors.unsupported_media_type,
      'The body must be sent as application/json: set the Content-Type header.',
    )
  requireNoEncoding(encoding)
  requireSimple(bytes, valuesMax)
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    throw validationFailed([{ detail: 'The body is not valid JSON in UTF-8.', pointer: '' }])
  }
}

/** Ignores parameters, except a charset other than UTF-8. */
function isJson(contentType: string | undefined): boolean {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  return type.trim() === 'application/json' && parameters.every(isUtf8OrOther)
}

function isUtf8OrOther(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=', 2)
  return name.trim() !== 'charset' || ['utf-8', '"utf-8"'].includes(value.trim())
}

// Four times as deep as any body of the contract.
const depthMax = 32

/**
 * Limits how deep arrays and objects are nested, and their members and elements in total; throws 400. Checks this
 * before parsing: parsing and validating 32,000 levels or 20,000 objects takes a hundred times as long as a plain text
 * of the same size.
 */
function requireSimple(bytes: Buffer, valuesMax: number): void {
  let depth = 0
  let values = 0
  let isInText = false
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (isInText) {
      if (byte === backslash) index += 1
      else if (byte === quote) isInText = false
    } else if (byte === quote) isInText = true
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      if (depth > depthMax) throw tooComplex(`is nested more than ${depthMax} levels deep`)
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1
    else if (byte === comma) {
      values += 1
      if (values > valuesMax) throw tooComplex(`has more than ${valuesMax} members and elements`)
    }
  }
}

function tooComplex(problem: string): ApiError {
  return validationFailed([{ detail: `The body ${problem}.`, pointer: '' }])
}

const [quote, backslash, openBracket, closeBracket, openBrace, closeBrace, comma] = Buffer.from('"\\[]{},')
