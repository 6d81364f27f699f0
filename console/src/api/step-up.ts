import { Problem, problemOf } from './problem.ts'

type Reach = (request: Request) => Promise<Response>

/** Asks for the person's passkey. `reach` sends requests as they are. */
export function stepUp(reach: Reach): Promise<void> {
  return sendPasskey('/step-up', reach)
}

/** Starts a new session without leaving the page. */
export function signInAgain(): Promise<void> {
  return sendPasskey('/sign-in/passkey', fetch)
}

async function sendPasskey(path: '/step-up' | '/sign-in/passkey', reach: Reach): Promise<void> {
  const headers = { 'X-Console': '1', 'Content-Type': 'application/json' }
  const post = async (to: string, body?: unknown) => {
    const init = body === undefined ? { headers: { 'X-Console': '1' } } : { headers, body: JSON.stringify(body) }
    const response = await reach(new Request(`/operator${to}`, { method: 'POST', ...init }))
    if (!response.ok) throw await problemOf(response)
    return response.json()
  }
  const { options } = await post(`${path}/options`)
  // A sign-in offers every passkey on the device. A step-up names only the person's own.
  if (path === '/step-up' && !options.allowCredentials?.length)
    throw new Problem(409, 'passkey_missing', 'You have no passkey yet. Create one, then repeat this.')
  await post(path, { credential: await askForPasskey(options) })
}

async function askForPasskey(options: PublicKeyCredentialRequestOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  try {
    const credential = await navigator.credentials.get({ publicKey })
    if (credential instanceof PublicKeyCredential) return credential.toJSON()
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
  throw new Problem(403, 'passkey_not_used', 'The passkey was not used, so nothing was changed. Try again.')
}
