import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'

/**
 * Serves the API reference for people at /docs and for programs at /openapi.json. They are not operations: no prefix
 * and no token. They do count towards the limit of requests in flight, since any client can request them.
 */
export function serveDocs(app: FastifyInstance, title: string, document: () => unknown): void {
  // Built on the first request: the script is 4 MB, which most processes never need.
  let text: string | undefined
  let reference: Promise<Reference> | undefined

  app.get('/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(document())
    return reply.type('application/json; charset=utf-8').send(text)
  })
  app.get('/docs', async (_request, reply) => {
    reference ??= renderReference(title)
    const { page, policy } = await reference
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page)
  })
  app.get(scriptPath, async (request, reply) => {
    reference ??= renderReference(title)
    const { script, gzippedScript } = await reference
    const acceptsGzip = /\bgzip\b/.test(request.headers['accept-encoding'] ?? '')
    // The same for all clients until the next release, so the only response that may be cached.
    reply.headers({ 'cache-control': 'public, max-age=86400', vary: 'accept-encoding' })
    if (acceptsGzip) reply.header('content-encoding', 'gzip')
    return reply.type('text/javascript; charset=utf-8').send(acceptsGzip ? gzippedScript : script)
  })
}

const scriptPath = '/docs/scalar.js'

/** Disables everything that Scalar would load from or send to its vendor's servers. */
const configuration = {
  url: '/openapi.json',
  cdn: scriptPath,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  // Our code samples, which include the idempotency key, replace the generated ones.
  hiddenClients: true,
  defaultOpenAllTags: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
} as const

interface Reference {
  readonly page: string
  readonly policy: string
  readonly script: Buffer
  readonly gzippedScript: Buffer
}

/**
 * Renders the page once with Scalar's plugin in a separate Fastify instance. Registered in ours, the plugin would
 * encode its script on every request and fail on an invalid Host header.
 */
async function renderReference(title: string): Promise<Reference> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const renderer = Fastify()
  await renderer.register(scalar, {
    routePrefix: '/docs',
    configuration: { ...configuration, pageTitle: title },
  })
  const { body } = await renderer.inject('/docs/')
  // Without an icon, browsers request /favicon.ico.
  const page = body
    .replace('<html>', '<html lang="en">')
    .replace('</head>', '  <link rel="icon" href="data:," />\n  </head>')
  const { rawPayload: script } = await renderer.inject('/docs/js/scalar.js')
  await renderer.close()
  return { page, policy: policyFor(page), script, gzippedScript: await promisify(gzip)(script) }
}

/**
 * Allows only resources of this server, and of inline scripts only those in this page. Scalar writes its styles into
 * the page at run time, so they cannot be listed.
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
