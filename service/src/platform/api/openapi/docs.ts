import { createHash } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { type StaticFile, sendStaticFile, staticFile } from './static-file.ts'

/**
 * Serves the API reference for people at /docs and for programs at /openapi.json. They are not operations: no prefix
 * and no token. They are in memory, so they take no request slot, and the limits of connections apply.
 */
export function serveDocs(app: FastifyInstance, title: string, document: () => unknown): void {
  // Built on the first request: the script is 4 MB, which most processes never need.
  let json: Promise<StaticFile> | undefined
  let reference: Promise<Reference> | undefined
  const config = { isStatic: true }

  app.get('/openapi.json', { config }, async (request, reply) => {
    json ??= staticFile(JSON.stringify(document()), 'application/json; charset=utf-8', revalidated)
    return sendStaticFile(await json, request, reply)
  })
  app.get('/docs', { config }, async (request, reply) => {
    reference ??= renderReference(title)
    return sendStaticFile((await reference).page, request, reply)
  })
  app.get(scriptPath, { config }, async (request, reply) => {
    reference ??= renderReference(title)
    return sendStaticFile((await reference).script, request, reply)
  })
}

// The next release may change them at once.
const revalidated = { 'cache-control': 'no-cache' }

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
  readonly page: StaticFile
  readonly script: StaticFile
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
  const html = body
    .replace('<html>', '<html lang="en">')
    .replace('</head>', '  <link rel="icon" href="data:," />\n  </head>')
  const { rawPayload: script } = await renderer.inject('/docs/js/scalar.js')
  await renderer.close()
  const pageHeaders = { ...revalidated, 'content-security-policy': policyFor(html) }
  return {
    page: await staticFile(html, 'text/html; charset=utf-8', pageHeaders),
    script: await staticFile(script, 'text/javascript; charset=utf-8', { 'cache-control': 'public, max-age=86400' }),
  }
}

/**
 * Allows only resources of this server, and only the inline scripts of this page. Scalar writes its styles into the
 * page at run time, so they cannot be listed.
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
