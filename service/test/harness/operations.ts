import type { OperatorOperation, TenantOperation } from '../../src/platform/api/declare/operation.ts'
import type { SpooledFile } from '../../src/platform/api/declare/spool.ts'
import { Placement } from '../../src/platform/db/placement.ts'
import { inTenantTransaction } from '../../src/platform/db/tenant-transaction.ts'
import type { Transaction } from '../../src/platform/db/transaction.ts'
import { Vaults } from '../../src/platform/db/vault.ts'
import { TargetRules } from '../../src/platform/outbound/target-rules.ts'
import { AuditTrail } from '../../src/records/audit/audit-trail.ts'
import type { TestInstallation } from './service.ts'

interface Input {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  file?: SpooledFile
}

/**
 * Runs operations in their transactions as the pipeline does, without HTTP and the checks before it: for tests that
 * need thousands of them at times of their own choice.
 */
export class DirectOperations {
  readonly tenantId: string
  readonly databases
  readonly #vaults: Vaults
  readonly #targets: TargetRules

  constructor(installation: TestInstallation, tenantId: string) {
    this.tenantId = tenantId
    const { databases } = installation
    this.databases = { databases, placement: new Placement(databases) }
    this.#vaults = new Vaults(installation.config.dataMasterKeys)
    this.#targets = new TargetRules(installation.config)
  }

  write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return inTenantTransaction(this.databases, { tenantId: this.tenantId, access: 'write' }, work)
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back
  run(operation: TenantOperation | OperatorOperation, input: Input, now = new Date()): Promise<any> {
    const { tenantId } = this
    return this.write(async (tx) => {
      const trail = new AuditTrail({ type: 'system', id: null, requestId: null })
      const result = await operation.handle({ params: {}, query: {}, body: undefined, ...input } as never, {
        tenantId,
        tx,
        vault: this.#vaults.of(tx, tenantId),
        secretPeppers: undefined as never,
        now,
        here: 'http://127.0.0.1/api',
        callerId: tenantId,
        scopes: [],
        audit: trail.add,
        targets: this.#targets,
      })
      await trail.write(tx)
      return result
    })
  }
}
