import { after } from 'node:test'
import type { RunningApi } from './running-api.ts'
import { sharedInstallation } from './shared-installation.ts'
import { TestInstallation } from './test-installation.ts'

/** An installation and its APIs. */
export interface RunningInstallation {
  readonly installation: TestInstallation
  readonly api: RunningApi
  readonly operatorApi: RunningApi
}

/** Starts both APIs. */
export async function startApis(installation: TestInstallation): Promise<RunningInstallation> {
  const [api, operatorApi] = await Promise.all([installation.startApi(), installation.startOperatorApi()])
  return { installation, api, operatorApi }
}

/** Returns the shared installation with its APIs, until the suite ends. */
export async function useSharedApis(): Promise<RunningInstallation> {
  const installation = await sharedInstallation()
  after(() => installation.end())
  return startApis(installation)
}

/** Starts a new installation with its APIs, until the suite ends. */
export async function useOwnApis(): Promise<RunningInstallation> {
  const installation = await TestInstallation.create()
  after(() => installation.end())
  return startApis(installation)
}

/** Starts a new installation with its APIs and a worker, until the suite ends. */
export async function useWorker(): Promise<RunningInstallation> {
  const running = await useOwnApis()
  await running.installation.startWorker()
  return running
}
