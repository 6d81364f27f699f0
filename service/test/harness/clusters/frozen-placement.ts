import { Placement } from '../../../src/platform/db/placement.ts'
import type { Databases } from '../../../src/platform/db/pools.ts'

/** That of a process whose cache is never invalidated and that cannot reach the directory. */
export class FrozenPlacement extends Placement {
  static async of(databases: Databases, tenantId: string): Promise<FrozenPlacement> {
    const placement = new FrozenPlacement(databases)
    await placement.cellOf(tenantId)
    return placement
  }

  override forget(): void {}
}
