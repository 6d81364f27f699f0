import { Placement } from '../../../src/platform/postgres/cells/placement.ts'
import type { Databases } from '../../../src/platform/postgres/pools.ts'

/** Placement of a process whose cache is never invalidated and that cannot reach the directory. */
export class FrozenPlacement extends Placement {
  static async of(databases: Databases, tenantId: string): Promise<FrozenPlacement> {
    const placement = new FrozenPlacement(databases)
    await placement.cellOf(tenantId)
    return placement
  }

  override forget(): void {}
}
