import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/api/errors/errors.ts'
import { requestErrors } from '../../platform/api/errors/request.errors.ts'
import { sendStaticFile } from '../../platform/api/openapi/static-file.ts'
import { type BuiltConsole, readBuiltConsole } from './built-console.ts'
import { notBuiltPage } from './not-built-page.ts'

interface ConsoleSettings {
  /** Shown in the console, so that staging is not mistaken for live. */
  readonly environment: string
  /** Folder of the built console; tests use another one. */
  readonly folder?: URL
}

const defaultFolder = new URL('../../../../console/dist/', import.meta.url)

/**
 * Serves the console at /console. Its assets have a hash in their names and never change. Every other path is a screen,
 * which the page itself resolves; the pages for signing in have routes that take precedence.
 */
export function serveConsole(app: FastifyInstance, { environment, folder = defaultFolder }: ConsoleSettings): void {
  const config = { isStatic: true }
  let built: BuiltConsole | undefined

  async function sendPage(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (isFile(pathOf(request))) throw unknownFile()
    built = await readBuiltConsole(folder, built)
    const nonce = randomBytes(16).toString('base64')
    reply.headers(pageHeaders(nonce)).type('text/html; charset=utf-8')
    if (!built) return reply.status(503).send(notBuiltPage)
    return reply.send(built.page.replace('%CSP_NONCE%', nonce).replace('%ENVIRONMENT%', environment))
  }

  app.get('/console', { config }, sendPage)
  app.get('/console/*', { config }, sendPage)
  app.get<{ Params: { name: string } }>('/console/static/:name', { config }, async (request, reply) => {
    built = await readBuiltConsole(folder, built)
    const file = await built?.assetOf(request.params.name)
    if (!file) throw unknownFile()
    return sendStaticFile(file, request, reply)
  })
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

function unknownFile(): ApiError {
  return new ApiError(requestErrors.route_not_found, 'The console has no such file.')
}

/**
 * Permits only files of this server. The nonce permits the style sheets that components create. The default policy of
 * Trusted Types, which the console defines, rejects markup.
 */
function pageHeaders(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'publickey-credentials-create=(self), publickey-credentials-get=(self)',
    'cache-control': 'no-store',
  }
}

/** Returns true for a path with an extension or among the assets: a file that does not exist, not a screen. */
function isFile(path: string): boolean {
  const [, , folder = ''] = path.split('/')
  return path.slice(path.lastIndexOf('/')).includes('.') || folder === 'static' || folder === 'assets'
}
