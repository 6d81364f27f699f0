import { publicOperation } from '../../../platform/api/declare/operation.ts'
import { SignInMethods } from '../sign-in.schema.ts'

export const listSignInMethods = publicOperation(
  {
    id: 'listSignInMethods',
    summary: 'List the ways to sign in',
    description: 'The identity providers of this installation. People of a tenant without a provider use a passkey.',
    tag: 'Sign-in',
    method: 'GET',
    path: '/sign-in-methods',
    scopes: 'public',
    idempotency: 'none',
    success: { status: 200, body: SignInMethods },
    errors: [],
  },
  (_input, { identityProviders }) => Promise.resolve({ providers: [...identityProviders.names] }),
)
