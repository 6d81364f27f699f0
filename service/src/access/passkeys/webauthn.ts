/** Loads the library with the first passkey: no other package takes as long to load when the operator API starts. */
export const webauthn = () => import('@simplewebauthn/server')
