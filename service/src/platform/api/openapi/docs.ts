import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'

/**
 * The reference for people at /docs and for programs at /openapi.json. Not operations: no prefix, no token; but they
 * count towards the limit of requests in flight, since anybody may ask for them.
 */
export function serveDocs(app: FastifyInstance, title: string, document: () => unknown): void {
  // Made when somebody first asks: the script is 4 MB, which most processes never need.
  let text: string | undefined
  let reference: Promise<Reference> | undefined

  app.get('/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(document())
    return reply.type('application/json; charset=utf-8').send(text)
  })
  app.get('/docs', async (_request, reply) => {
    reference ??= drawReference(title)
    const { page, policy } = await reference
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
  })
  app.get(scriptPath, async (request, reply) => {
    reference ??= drawReference(title)
    const { script, packedScript } = await reference
    const isPacked = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    // The same for everybody and only new with a release, so the one answer of ours that may be kept.
    reply.headers({ 'cache-control': 'public, max-age=86400', vary: 'accept-encoding' })
    if (isPacked) reply.header('content-encoding', 'gzip')
    return reply.type('text/javascript; charset=utf-8').send(isPacked ? packedScript : script)
  })
}

const scriptPath = '/docs/scalar.js'

/** Everything that Scalar would fetch from its makers' servers, or tell them, is off. */
const configuration = {
  url: '/openapi.json',
  cdn: scriptPath,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  // Our own code samples, which know what a key is for, in place of those that it makes up.
  hiddenClients: true,
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
} as const

interface Reference {
  readonly page: string
  readonly policy: string
  readonly script: Buffer
  readonly packedScript: Buffer
}

/**
 * Scalar's plugin draws into a server of its own, and we serve what it drew: registered in ours, it would encode its
 * script on every request, and fail on a Host header that is no host.
 */
async function drawReference(title: string): Promise<Reference> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const canvas = Fastify()
  await canvas.register(scalar, {
    routePrefix: '/docs',
    configuration: { ...configuration, pageTitle: title },
  })
  const { body } = await canvas.inject('/docs/')
  // Without an icon of its own a page makes browsers ask for /favicon.ico.
  const page = body
    .replace('<html>', '<html lang="en">')
    .replace('</head>', '  <link rel="icon" href="data:," />\n  </head>')
  const { rawPayload: script } = await canvas.inject('/docs/js/scalar.js')
  await canvas.close()
  return { page, policy: policyFor(page), script, packedScript: await promisify(gzip)(script) }
}

/**
 * Only what comes from us, and of the scripts in the page only those that are there now. Scalar writes its styles into
 * the page while it runs, so those cannot be listed.
 */
function policyFor(page: string): string {
  const inline = [...page.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
