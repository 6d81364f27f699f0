import { DirectOperations } from '../callers/operations.ts'
import type { TestInstallation } from '../installation/test-installation.ts'
import { Fixtures } from './fixtures.ts'

/** Creates rows of one tenant. The subclasses say which. */
export class TenantRows {
  protected readonly installation: TestInstallation
  protected readonly tenantId: string
  protected readonly direct: DirectOperations
  protected readonly fixtures: Fixtures

  constructor(installation: TestInstallation, tenantId: string) {
    this.installation = installation
    this.tenantId = tenantId
    this.direct = new DirectOperations(installation, tenantId)
    this.fixtures = new Fixtures(installation)
  }
}

export const randomAddress = () => `0x${crypto.randomUUID().replaceAll('-', '').padEnd(40, '0')}` as const
export const randomHash = () => `0x${crypto.randomUUID().replaceAll('-', '').padEnd(64, '0')}` as const
