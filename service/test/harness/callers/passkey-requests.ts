import type { RunningApi } from '../installation/running-api.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import type { TestOperator } from '../installation/test-users.ts'
import { TestAuthenticator } from './authenticator.ts'

const text = 'AAAA'
const parts = { id: text, rawId: text, type: 'public-key', clientExtensionResults: {} }

/** Well-formed passkey responses, for requests that are rejected before the passkey is verified. */
export const anyAssertion = { ...parts, response: { clientDataJSON: text, authenticatorData: text, signature: text } }
export const anyAttestation = { ...parts, response: { clientDataJSON: text, attestationObject: text } }

/** Returns the passkey that was prepared as JSON, or one that is only well-formed. */
export function passkeyIn(json: string | undefined, other: object): unknown {
  return json?.startsWith('{') ? JSON.parse(json) : other
}

type Prepared = [installation: TestInstallation, world: unknown, api: RunningApi, caller: TestOperator]

/** Creates a new passkey of the caller, not stored yet, as JSON. */
export async function newPasskey(...[, , api, { cookie }]: Prepared): Promise<{ attestation: string }> {
  const { body } = await api.call('POST', '/passkeys/options', { cookie })
  return { attestation: JSON.stringify(new TestAuthenticator(api.baseUrl).create(body.options)) }
}

/** Stores a passkey of the caller. */
async function storedPasskey(...[, , api, { cookie }]: Prepared) {
  const { body } = await api.call('POST', '/passkeys/options', { cookie })
  const authenticator = new TestAuthenticator(api.baseUrl)
  const credential = authenticator.create(body.options)
  const stored = await api.call('POST', '/passkeys', { cookie, body: { name: 'Key', credential } })
  if (stored.status !== 201) throw new Error(stored.text)
  return { authenticator, passkeyId: String(stored.body.id) }
}

/** Stores two passkeys, so that one can be removed. */
export async function removablePasskey(...given: Prepared): Promise<{ passkeyId: string }> {
  await storedPasskey(...given)
  return { passkeyId: (await storedPasskey(...given)).passkeyId }
}

/** Uses a stored passkey in the caller's session. Returns the use as JSON. */
export async function usedPasskey(...given: Prepared): Promise<{ assertion: string }> {
  const [, , api, { cookie }] = given
  const { authenticator } = await storedPasskey(...given)
  const { body } = await api.call('POST', '/step-up/options', { cookie })
  return { assertion: JSON.stringify(authenticator.use(body.options)) }
}

/** Creates a device that waits until a person confirms it. */
export async function waitingDevice(...[, , api]: Prepared): Promise<{ userCode: string }> {
  const response = await api.call('POST', '/device-authorizations', { body: { device_name: 'laptop' } })
  if (response.status !== 201) throw new Error(response.text)
  return { userCode: String(response.body.user_code) }
}
