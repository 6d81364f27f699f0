/** Loads the library with the first passkey, because no other package would delay the start of the API as much. */
export const webauthn = () => import('@simplewebauthn/server')
