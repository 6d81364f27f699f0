import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** A passkey as an authenticator stores it, for tests without a browser. It signs any request. */
export class TestAuthenticator {
  readonly id = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  #userHandle: Buffer = Buffer.alloc(0)

  constructor(origin: string) {
    this.#origin = origin
  }

  /** Returns the result of `navigator.credentials.create` for these options, as JSON. */
  create(options: { challenge: string; user: { id: string } }, { isVerified = true } = {}) {
    this.#userHandle = Buffer.from(options.user.id, 'base64url')
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const coordinates = [x, y].map((coordinate) => Buffer.from(coordinate, 'base64url'))
    // COSE: key type EC2, algorithm ES256, curve P-256, and both coordinates.
    const coseKey = Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      coordinates[0] ?? '',
      Buffer.from('225820', 'hex'),
      coordinates[1] ?? '',
    ] as Buffer[])
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(this.id.length)
    const attested = Buffer.concat([Buffer.alloc(16), idLength, this.id, coseKey])
    const data = Buffer.concat([this.#authenticatorData(isVerified, 0x40), attested])
    const length = Buffer.alloc(2)
    length.writeUInt16BE(data.length)
    // CBOR: { fmt: 'none', attStmt: {}, authData: data }.
    const attestationObject = Buffer.concat([
      Buffer.from('a363666d74646e6f6e656761747453746d74a0686175746844617461', 'hex'),
      Buffer.from('59', 'hex'),
      length,
      data,
    ])
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge).toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Returns the result of `navigator.credentials.get` for these options, as JSON. */
  use(options: { challenge: string }, { isVerified = true, origin = this.#origin } = {}) {
    const clientData = this.#clientData('webauthn.get', options.challenge, origin)
    const data = this.#authenticatorData(isVerified, 0)
    const signed = Buffer.concat([data, createHash('sha256').update(clientData).digest()])
    return this.#credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: createSign('sha256').update(signed).sign(this.#keys.privateKey).toString('base64url'),
      userHandle: this.#userHandle.toString('base64url'),
    })
  }

  #credential<Response>(response: Response) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string, origin = this.#origin): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  }

  #authenticatorData(isVerified: boolean, moreFlags: number): Buffer {
    const host = createHash('sha256').update(new URL(this.#origin).hostname).digest()
    // The counter stays 0, as for passkeys that several devices share: only the challenge protects against replays.
    const count = Buffer.alloc(4)
    return Buffer.concat([host, Buffer.from([0x01 | (isVerified ? 0x04 : 0) | moreFlags]), count])
  }
}
