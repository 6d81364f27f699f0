import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { type StaticFile, sendStaticFile, staticFile } from '../../platform/api/openapi/static-file.ts'

/** Permits only files of this server and no inline scripts. No other site may frame a page or learn its address. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

export const ownPageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'publickey-credentials-create=(self), publickey-credentials-get=(self)',
}

const folder = new URL('../../../pages/', import.meta.url)

/** Files by address: the pages, and what they load. All data on a page comes from operations. */
const files: Readonly<Record<string, string>> = {
  '/console/sign-in': 'sign-in.html',
  '/console/invitation': 'invitation.html',
  '/console/passkey': 'passkey.html',
  '/console/device': 'device.html',
  '/console/approvals/:database/:approvalId': 'approval.html',
  '/console/assets/pages.css': 'pages.css',
  '/console/assets/api.js': 'api.js',
  '/console/assets/sign-in.js': 'sign-in.js',
  '/console/assets/invitation.js': 'invitation.js',
  '/console/assets/passkey.js': 'passkey.js',
  '/console/assets/device.js': 'device.js',
  '/console/assets/amount-text.js': 'amount-text.js',
  '/console/assets/approval.js': 'approval.js',
}
const typeOf: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

/** Serves the pages for signing in and for confirming a change. Only the operations that they call need a session. */
export function servePages(app: FastifyInstance): void {
  for (const [url, name] of Object.entries(files)) {
    let file: Promise<StaticFile> | undefined
    app.get(url, { config: { isStatic: true } }, async (request, reply) => {
      file ??= readPage(name)
      return sendStaticFile(await file, request, reply)
    })
  }
}

async function readPage(name: string): Promise<StaticFile> {
  const type = typeOf[name.split('.').at(-1) ?? ''] ?? 'text/plain'
  const headers = { ...ownPageHeaders, 'content-type': type, 'cache-control': 'no-cache' }
  return staticFile(await readFile(new URL(name, folder)), type, headers)
}

/** Returns a page that forwards to another of our pages. */
export function continuePage(path: string): string {
  const target = escapeHtml(path)
  return page(
    'Signed in',
    `<p role="status">You are signed in.</p><p><a href="${target}">Continue</a></p>`,
    `<meta http-equiv="refresh" content="0; url=${target}">`,
  )
}

/** Returns a page with one message and a link to the sign-in. */
export function messagePage(title: string, text: string): string {
  return page(
    title,
    `<p role="alert">${escapeHtml(text)}</p><p><a class="button" href="/console/sign-in">Sign in</a></p>`,
  )
}

function page(title: string, content: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Investor Token Service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/assets/pages.css">
${head}
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
