import type {
  OperatorCellOperation,
  TenantOperation,
  ValidatedInput,
} from '../../../src/platform/api/declare/operation.ts'
import type { OperatorFacts } from '../../../src/platform/api/declare/operator-facts.ts'
import { scopes } from '../../../src/platform/api/declare/scopes.ts'
import { systemClock } from '../../../src/platform/base/clock.ts'
import { createLogger } from '../../../src/platform/base/log.ts'
import { TargetRules } from '../../../src/platform/outbound/target-rules.ts'
import { Placement } from '../../../src/platform/postgres/cells/placement.ts'
import { inTenantTransaction } from '../../../src/platform/postgres/cells/tenant-transaction.ts'
import type { Transaction } from '../../../src/platform/postgres/transaction.ts'
import { type Vault, Vaults } from '../../../src/platform/postgres/vault.ts'
import { AuditTrail } from '../../../src/records/audit/audit-trail.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

const noInput: ValidatedInput = { params: {}, query: {}, body: undefined, file: undefined }

/**
 * Runs operations in a transaction like the pipeline, but without HTTP, authentication and validation: for tests that
 * run thousands of them or set the clock.
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

  /** The context of a job that runs in this process. */
  get jobContext() {
    const log = createLogger('silent', 'test')
    return { ...this.databases, vaults: this.#vaults, clock: systemClock, log }
  }

  vaultOf(tx: Transaction): Vault {
    return this.#vaults.of(tx, this.tenantId)
  }

  write<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    return inTenantTransaction(this.databases, { tenantId: this.tenantId, access: 'write' }, work)
  }

  run(
    operation: TenantOperation | OperatorCellOperation,
    input: Partial<ValidatedInput>,
    now = new Date(),
    // oxlint-disable-next-line typescript/no-explicit-any -- a test reads arbitrary results
  ): Promise<any> {
    const { tenantId } = this
    return this.write(async (tx) => {
      const trail = new AuditTrail({ type: 'system', id: null, requestId: null })
      const result = await operation.run(
        { ...noInput, ...input },
        {
          tenantId,
          tx,
          vault: this.#vaults.of(tx, tenantId),
          now,
          selfUrl: 'http://127.0.0.1/api',
          callerId: tenantId,
          scopes,
          audit: trail.add,
          targets: this.#targets,
          walletProofUrl: 'http://localhost',
          contractSignature: undefined,
          ...noOperator(tenantId, now),
        },
      )
      await trail.write(tx)
      return result
    })
  }
}

/** Returns operator facts without an operator: outside the pipeline, nothing asks for a duty or a second person. */
export function noOperator(tenantId: string, now: Date): OperatorFacts {
  const proof = { type: 'token', id: tenantId } as const
  return {
    operator: {
      tenantId,
      userId: tenantId,
      userKind: 'service',
      identityId: null,
      duties: [],
      policies: { manual_payment: null, statement_booking: null },
      tenantRequestsPerMinute: 1,
      proof,
      expiresAt: new Date(now.getTime() + 60_000),
      isRevoked: false,
    },
    confirmedBy: null,
    colleagues: [],
    environment: 'development',
    readOther: () => Promise.reject(new Error('only the cell can be read here')),
    callerNames: new Map(),
    readProposed: () => Promise.reject(new Error('nothing is proposed here')),
    runProposed: () => Promise.reject(new Error('nothing is confirmed here')),
  }
}
