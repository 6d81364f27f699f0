import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { PasskeyOptions } from '../../passkeys/passkey.schema.ts'
import { requestOptions } from '../../passkeys/passkey-options.ts'
import { limitSignIns } from '../sign-in.ts'

export const startPasskeySignIn = publicOperation(
  {
    id: 'startPasskeySignIn',
    summary: 'Start a sign-in with a passkey',
    description: 'Returns the options with which the browser uses a passkey of this site.',
    tag: 'Sign-in',
    method: 'POST',
    path: '/sign-in/passkey/options',
    scopes: 'public',
    caller: 'own page',
    idempotency: 'none',
    success: { status: 200, body: PasskeyOptions },
    errors: [],
  },
  async (_input, context) => {
    await limitSignIns(context)
    return { options: await requestOptions(context, { for: 'sign-in' }) }
  },
)
