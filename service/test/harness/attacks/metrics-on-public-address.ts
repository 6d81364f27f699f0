import { freePort } from '../installation/process.ts'
import type { Attack } from './attack.ts'
import { send } from './attack-stack.ts'

/** Differs from the default address, and stands for the public address of a machine. */
const address = '127.0.0.3'

export const metricsOnPublicAddress: Attack = {
  name: 'metrics on the address of the API',
  isShort: true,
  run: async ({ installation }) => {
    const METRICS_PORT = String(await freePort())
    const api = await installation.startApiProcess({ HOST: address, METRICS_PORT })
    const read = (host: string) =>
      send(`http://${host}:${METRICS_PORT}/metrics`).then(
        ({ status }) => status === 200,
        () => false,
      )
    const [isPublic, isLocal] = [await read(address), await read('127.0.0.1')]
    await api.process.kill()
    if (!isPublic && !isLocal) throw new Error('there are no metrics at all')
    return { isDefended: !isPublic, observed: isPublic ? 'anyone can read them' : 'they are on loopback only' }
  },
}
