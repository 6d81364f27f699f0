import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A response that is the same for all callers: encoded once, and sent only to clients that do not have it yet. */
export interface StaticFile {
  readonly type: string
  /** Additional headers, such as Cache-Control. */
  readonly headers: Readonly<Record<string, string>>
  readonly etag: string
  readonly contentOf: Readonly<Record<Encoding, Buffer>>
}

type Encoding = 'br' | 'gzip' | 'identity'

/** Compresses in Node's thread pool, so that the first request does not delay others. */
export async function staticFile(
  content: string | Buffer,
  type: string,
  headers: Record<string, string>,
): Promise<StaticFile> {
  const identity = Buffer.from(content)
  // The highest quality takes ten seconds for the script and saves a tenth.
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
  const [br, gzipped] = await Promise.all([promisify(brotliCompress)(identity, quality), promisify(gzip)(identity)])
  return staticFileOf({ br, gzip: gzipped, identity }, type, headers)
}

/** Like staticFile, for content that is compressed already. */
export function staticFileOf(
  contentOf: StaticFile['contentOf'],
  type: string,
  headers: Record<string, string>,
): StaticFile {
  const etag = createHash('sha256').update(contentOf.identity).digest('base64url').slice(0, 22)
  return { type, headers, etag, contentOf }
}

export function sendStaticFile(file: StaticFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding'] ?? '')
  const etag = `"${file.etag}-${encoding}"`
  reply.headers({ ...file.headers, etag, vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === etag) return reply.status(304).send()
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.type(file.type).send(file.contentOf[encoding])
}

function encodingFor(accepted: string): Encoding {
  const names = accepted
    .split(',')
    .map((entry) => entry.split(';').map((part) => part.trim().toLowerCase()))
    .filter(([, quality]) => quality !== 'q=0')
    .map(([name]) => name)
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity'
}
