import { type CellRoom, chooseCell } from '../service/src/access/tenants/choose-cell.ts'
import { seededRandom } from '../service/test/harness/seeded-random.ts'

export interface FleetSettings {
  readonly tenants: number
  readonly cells: number
  readonly orders: number
  readonly bytesPerOrder: number
  readonly capacityBytes: number
  readonly seed: number
}

export interface Fleet {
  readonly cells: readonly CellRoom[]
  /** Number of tenants that operators have moved to another cell. */
  readonly moves: number
  /** Final number of orders of each tenant, largest first. */
  readonly sizes: readonly number[]
}

const arrivalMonths = 36
const growthMonths = 24
/** Share of all orders of a full cell. A larger tenant moves to a cell of its own. */
const largestShare = 0.25
/** Operators move tenants away from cells that are fuller than this. */
const movesFromShare = 0.7

interface Placed {
  cell: { -readonly [Key in keyof CellRoom]: CellRoom[Key] }
  readonly orders: number
  readonly month: number
}

/**
 * Puts tenants into cells one after the other with the placement of the service. Sizes are log-normal (sigma 2: one
 * tenant in a thousand is 66 times as large as the average), and arrivals are spread over three years. A tenant grows
 * to its size for two years; placement does not know that size. Cells are measured once a month, much less often than
 * by a worker. Operators then move the largest tenants of an overfull cell to the cell that a new tenant would get.
 */
export function simulateFleet(settings: FleetSettings): Fleet {
  const { tenants, bytesPerOrder, capacityBytes } = settings
  const random = seededRandom(settings.seed)
  const sizes = sizesOf(settings, random)
  const cells = Array.from({ length: settings.cells }, (_, index) => ({
    name: `cell-${String(index + 1).padStart(3, '0')}`,
    state: 'open' as const,
    jurisdiction: null,
    capacityBytes,
    usedBytes: 0,
    tenantCount: 0,
  }))
  const byName = new Map(cells.map((cell) => [cell.name, cell]))
  const placed: Placed[] = []
  let moves = 0
  for (let month = 0; month <= arrivalMonths + growthMonths; month += 1) {
    const bytesOf = ({ orders, month: arrived }: Placed) =>
      orders * bytesPerOrder * Math.min(1, (month - arrived) / growthMonths)
    for (const cell of cells) cell.usedBytes = 0
    for (const tenant of placed) tenant.cell.usedBytes += bytesOf(tenant)
    for (const cell of cells)
      moves += relieve(cell, placed, { bytesOf, choose: () => byName.get(chooseCell(cells) ?? '') })
    const until = Math.min(tenants, Math.ceil(((month + 1) * tenants) / arrivalMonths))
    while (placed.length < until) {
      const cell = byName.get(chooseCell(cells) ?? '')
      if (!cell) throw new Error(`no cell has room for tenant ${placed.length + 1}`)
      cell.tenantCount += 1
      placed.push({ cell, orders: sizes[placed.length] ?? 0, month })
    }
  }
  return { cells, moves, sizes: sizes.toSorted((a, b) => b - a) }
}

/** Moves the largest tenants out of an overfull cell. Returns how many. */
function relieve(
  cell: Placed['cell'],
  placed: readonly Placed[],
  { bytesOf, choose }: { bytesOf: (tenant: Placed) => number; choose: () => Placed['cell'] | undefined },
): number {
  const limit = cell.capacityBytes * movesFromShare
  if (cell.usedBytes <= limit) return 0
  const largestFirst = placed.filter((tenant) => tenant.cell === cell).toSorted((a, b) => bytesOf(b) - bytesOf(a))
  let count = 0
  for (const tenant of largestFirst) {
    if (cell.usedBytes <= limit) break
    const target = choose()
    const bytes = bytesOf(tenant)
    if (!target || target === cell || target.usedBytes + bytes > limit) continue
    for (const [changed, sign] of [
      [cell, -1],
      [target, 1],
    ] as const) {
      changed.usedBytes += sign * bytes
      changed.tenantCount += sign
    }
    tenant.cell = target
    count += 1
  }
  return count
}

/** Draws sizes, scaled so that they add up to the wanted number of orders. */
function sizesOf({ tenants, orders, bytesPerOrder, capacityBytes }: FleetSettings, random: () => number): number[] {
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const raw = Array.from({ length: tenants }, () => Math.exp(2 * normal()))
  const largest = (capacityBytes / bytesPerOrder) * largestShare
  const scale = orders / raw.reduce((sum, one) => sum + one, 0)
  const capped = raw.map((one) => Math.min(largest, one * scale))
  const rest = orders / capped.reduce((sum, one) => sum + one, 0)
  return capped.map((one) => Math.min(largest, one * rest))
}

/** Draws one bar for each cell, fullest first, and the limit. */
export function fleetPicture(shares: readonly number[], limit: number): string {
  const [width, height, left, top] = [900, 260, 50, 30]
  const bar = width / shares.length
  const y = (share: number) => (top + height * (1 - share)).toFixed(1)
  const bars = shares
    .toSorted((a, b) => b - a)
    .map((share, index) => {
      const x = (left + index * bar).toFixed(2)
      const size = `width="${(bar * 0.8).toFixed(2)}" height="${(height * share).toFixed(1)}"`
      return `<rect x="${x}" y="${y(share)}" ${size}/>`
    })
  const line = (share: number, style: string) =>
    `<line x1="${left}" x2="${left + width}" y1="${y(share)}" y2="${y(share)}" ${style}/>` +
    `<text x="${left - 8}" y="${Number(y(share)) + 4}" text-anchor="end">${Math.round(share * 100)} %</text>`
  const viewBox = `0 0 ${left + width + 20} ${top + height + 40}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" font-family="sans-serif" font-size="12">
<title>How full each of ${shares.length} cells is</title>
<rect width="100%" height="100%" fill="white"/>
<text x="${left}" y="18">How full each of ${shares.length} cells is</text>
${[0, 0.2, 0.4, 0.6, 1].map((share) => line(share, 'stroke="#ddd"')).join('\n')}
<g fill="#3b6ea5">
${bars.join('\n')}
</g>
${line(limit, 'stroke="#b00020" stroke-width="2"')}
<text x="${left}" y="${top + height + 25}">cells, fullest first</text>
</svg>
`
}
