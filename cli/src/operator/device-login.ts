import { hostname } from 'node:os'
import { ApiError } from '@investor-token/sdk'
import { exitCodes, Failure } from '../base/failure.ts'
import { host } from '../base/host.ts'
import { interrupted, pause } from '../base/interruption.ts'
import { note, paint } from '../base/terminal.ts'
import { showProgress } from '../output/progress.ts'
import type { OperatorProfile } from '../session/profiles.ts'
import { OperatorClient } from './operator-client.ts'

interface DeviceAuthorization {
  device_code: string
  user_code: string
  verification_uri: string
  expires_in: number
  interval: number
}

type DeviceToken = { token: string } & NonNullable<OperatorProfile['issued']>

// RFC 8628, 3.5.
const slowDownSeconds = 5

/** Shows a code, waits until the person has confirmed it in a browser, and returns their token. */
export async function deviceLogin(
  profile: Pick<OperatorProfile, 'base_url' | 'allow_http'>,
  options: { debug?: boolean | undefined },
): Promise<DeviceToken> {
  const client = new OperatorClient(profile, options)
  const device = await start(client)
  note(`Open ${paint('bold', device.verification_uri, host().stderr)}`)
  note(`and enter the code ${paint('bold', device.user_code, host().stderr)}`)
  note(`It is valid for ${Math.round(device.expires_in / 60)} minutes. Keep it to yourself.`)
  const progress = await showProgress('Waiting for your confirmation …')
  try {
    return await waitForToken(client, device)
  } finally {
    progress.end()
  }
}

async function start(client: OperatorClient): Promise<DeviceAuthorization> {
  const name = `investor-token on ${hostname()}`.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 100)
  const { data } = await client.json(jsonRequest('/device-authorizations', { device_name: name }))
  return data as DeviceAuthorization
}

async function waitForToken(client: OperatorClient, { device_code, ...device }: DeviceAuthorization) {
  let { interval } = device
  while (true) {
    await pause(interval * 1000)
    if (interrupted.aborted) throw new Failure(exitCodes.interrupted, 'Interrupted.')
    try {
      return (await client.json(jsonRequest('/device-authorizations/token', { device_code }))).data as DeviceToken
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'slow_down') interval += slowDownSeconds
      else if (error.code === 'authorization_expired')
        throw new Failure(exitCodes.notPermitted, 'The code has expired.', 'Run: investor-token operator login')
      else if (error.code !== 'authorization_pending') throw error
    }
  }
}

function jsonRequest(path: string, body: object) {
  return { method: 'POST', path, body: { type: 'application/json', content: JSON.stringify(body) } }
}
