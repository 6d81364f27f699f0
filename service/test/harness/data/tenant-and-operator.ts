import type { Role } from '../../../src/platform/api/declare/duties.ts'
import { OperatorClient } from '../callers/operator-client.ts'
import type { RunningInstallation } from '../installation/running-installation.ts'
import { TestTenant } from './tenant.ts'

/** Creates a tenant and one of its operators. Returns them with the installation and its APIs. */
export async function createTenantAndOperator(running: RunningInstallation, role?: Role | 'all duties') {
  const tenant = await TestTenant.create(running.installation, running.api)
  const operator = await OperatorClient.create(running.installation, running.operatorApi, tenant.id, role)
  return { ...running, tenant, operator }
}
