import { createHash } from 'node:crypto'
import type { LocalPerson } from './demo-people.ts'

/** Shows one button per person. There is no password: the provider listens on loopback only. */
export function loginPage(people: readonly LocalPerson[], clientId: string): string {
  const buttons = people.map(
    ({ id, name, email }) =>
      `<li><button name="person" value="${escaped(id)}">${escaped(name)}</button> ${escaped(email)}</li>`,
  )
  return page(
    'Sign in',
    `<p>This provider is for development only. It asks for no password.</p>
<form method="post">
<p><label><input type="checkbox" name="second_factor" value="yes"> With a second factor</label></p>
<fieldset><legend>Continue to ${escaped(clientId)} as</legend>
<ul>${buttons.join('')}</ul></fieldset>
<p><button name="cancel" value="yes">Cancel</button></p>
</form>`,
  )
}

/** `form` is the hidden form of oidc-provider, which has the id `op.logoutForm`. */
export function logoutPage(form: string): string {
  return page(
    'Sign out',
    `<p>Sign out here and in every application that you used?</p>${form}
<p><button form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button form="op.logoutForm">Stay signed in</button></p>`,
  )
}

export function signedOutPage(): string {
  return page('Signed out', '<p>You are signed out. You can close this page.</p>')
}

export function errorPage(error: string, description: string | undefined): string {
  return page('Sign-in failed', `<p>${escaped(description ?? 'The request is not valid.')}</p><p>${escaped(error)}</p>`)
}

const style = 'body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:2rem auto;padding:0 1rem}'.concat(
  'button{font:inherit;padding:.4rem .8rem;margin:.2rem 0}ul{list-style:none;padding:0}',
)

/**
 * Headers without `form-action`: browsers also apply it to the redirect after a form, which goes to the application.
 */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="icon" href="data:,"><style>${style}</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
