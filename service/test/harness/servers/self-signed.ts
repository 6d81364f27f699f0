import { createSign, generateKeyPairSync } from 'node:crypto'

/** Creates a self-signed certificate for a host name. */
export function selfSigned(name: string): { key: string; cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(objectId([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
  const commonName = sequence(tagged(0x31, sequence(objectId([0x55, 0x04, 0x03]), tagged(0x0c, Buffer.from(name)))))
  const time = (text: string) => tagged(0x17, Buffer.from(text))
  const alternative = sequence(objectId([0x55, 0x1d, 0x11]), tagged(0x04, sequence(tagged(0x82, Buffer.from(name)))))
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    commonName,
    sequence(time('200101000000Z'), time('491231235959Z')),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(alternative)),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const der = sequence(body, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = der.toString('base64').replaceAll(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

/** Encodes a DER element: tag, length, content. */
function tagged(tag: number, content: Buffer): Buffer {
  const size = content.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function objectId(bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes))
}
