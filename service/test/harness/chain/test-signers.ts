import type { Address } from 'viem'
import type { Config } from '../../../src/platform/base/config.ts'
import { Placement } from '../../../src/platform/postgres/cells/placement.ts'
import { Vaults } from '../../../src/platform/postgres/vault.ts'
import { type CreatedSigner, createSigner } from '../../../src/tokens/signers/create-signer.ts'
import { Signers } from '../../../src/tokens/signers/signers.ts'
import type { TestInstallation } from '../installation/test-installation.ts'

/** Opens the key backends of an installation: encrypted keys in the database, unless the settings are changed. */
export function openTestSigners(installation: TestInstallation, change: Partial<Config> = {}): Signers {
  const { databases, config } = installation
  const vaults = new Vaults(config.dataMasterKeys)
  return Signers.open({ ...config, ...change }, { databases, placement: new Placement(databases), vaults })
}

/** Creates a tenant's signer. Returns undefined if the tenant already has one on the chain. */
export function createTestSigner(
  installation: TestInstallation,
  tenantId: string,
  {
    chain = 'anvil',
    signers = openTestSigners(installation),
    admin,
  }: { chain?: string; signers?: Signers; admin?: Address } = {},
): Promise<CreatedSigner | undefined> {
  const { databases } = installation
  return createSigner({ databases, placement: new Placement(databases) }, signers, { tenantId, chain, admin })
}
