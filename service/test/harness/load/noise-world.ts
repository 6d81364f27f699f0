import { OperatorClient } from '../callers/operator-client.ts'
import { TestTenant } from '../data/tenant.ts'
import type { RunningApi } from '../installation/running-api.ts'
import { TestInstallation } from '../installation/test-installation.ts'
import { Mailbox } from '../servers/mailbox.ts'

/** Limits of a process and a cell as in production; the lock timeout allows for a busy machine. */
const settings = { DATABASE_POOL_MAX: '10', DATABASE_LOCK_TIMEOUT_SECONDS: '5', REQUESTS_PER_CELL_MAX: '100' }

const viewersMax = 40

export type NoiseWorld = Awaited<ReturnType<typeof createNoiseWorld>>

/** Creates two tenants of one cell that share an API, an operator API and a worker: one is noisy. */
export async function createNoiseWorld() {
  const mailbox = await Mailbox.open()
  const installation = await TestInstallation.create({ ...settings, SMTP_URL: mailbox.url })
  const [api, operatorApi] = await Promise.all([installation.startApiProcess(), installation.startOperatorApiProcess()])
  await installation.startWorkerProcess()
  const processes = { installation, api, operatorApi }
  const [noisy, quiet] = [await createNoisy(processes), await createQuiet(processes)]
  const end = async () => {
    await installation.end()
    await mailbox.close()
  }
  return { ...processes, noisy, quiet, end }
}

interface Processes {
  readonly installation: TestInstallation
  readonly api: RunningApi
  readonly operatorApi: RunningApi
}

/** The tenant whose people and credential attack. */
interface NoisyTenant {
  readonly tenant: TestTenant
  /** A rejected account, so that a second person must approve it. */
  readonly accountId: string
  readonly clerk: OperatorClient
  readonly viewers: readonly OperatorClient[]
  /** Colleague who does nothing wrong. */
  readonly colleague: OperatorClient
}

/** The tenant whose requests are measured. */
interface QuietTenant {
  readonly tenant: TestTenant
  readonly admin: OperatorClient
  readonly offeringId: string
  readonly accountId: string
}

async function createNoisy({ installation, api, operatorApi }: Processes): Promise<NoisyTenant> {
  const tenant = await TestTenant.create(installation, api)
  const accountId = await tenant.account()
  const person = (role: 'operator' | 'viewer' | 'all duties') =>
    OperatorClient.create(installation, operatorApi, tenant.id, role)
  const [colleague, clerk] = [await person('all duties'), await person('operator')]
  await colleague.post(`/accounts/${accountId}/decision`, { kyc: 'REJECTED', reason: 'x' })
  await installation.useDefaultPolicies(tenant.id)
  const viewers: OperatorClient[] = []
  while (viewers.length < viewersMax) viewers.push(await person('viewer'))
  return { tenant, accountId, clerk, viewers, colleague }
}

async function createQuiet({ installation, api, operatorApi }: Processes): Promise<QuietTenant> {
  const tenant = await TestTenant.create(installation, api)
  return {
    tenant,
    admin: await OperatorClient.create(installation, operatorApi, tenant.id, 'all duties'),
    offeringId: await tenant.fixtures.offering(tenant.id),
    accountId: await tenant.account(),
  }
}
