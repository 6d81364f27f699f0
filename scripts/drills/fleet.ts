// Spreads tenants of skewed size over cells with the placement of the service: `npm run drill -- fleet --cells 200`
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { percentile } from '../../bench/percentile.ts'
import { printTable } from '../../bench/print.ts'
import { fullShare } from '../../service/src/access/tenants/choose-cell.ts'
import { fleetPicture, simulateFleet } from '../fleet-simulation.ts'

const { values } = parseArgs({
  options: {
    tenants: { type: 'string', default: '100000' },
    cells: { type: 'string', default: '200' },
    orders: { type: 'string', default: '4000000000' },
    // The figure that `npm run bench -- settlement` prints.
    'bytes-per-order': { type: 'string', default: '12630' },
    'capacity-gb': { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    picture: { type: 'string', default: 'docs/fleet.svg' },
  },
})
const settings = {
  tenants: Number(values.tenants),
  cells: Number(values.cells),
  orders: Number(values.orders),
  bytesPerOrder: Number(values['bytes-per-order']),
  capacityBytes: Number(values['capacity-gb']) * 1e9,
  seed: Number(values.seed),
}
const { cells, moves, sizes } = simulateFleet(settings)
const shares = cells.map(({ usedBytes, capacityBytes }) => usedBytes / capacityBytes)
const counts = cells.map(({ tenantCount }) => tenantCount)
const orders = cells.map(({ usedBytes }) => usedBytes / settings.bytesPerOrder / 1e6)

const row = (name: string, figures: readonly number[], digits: number) => [
  name,
  ...[Math.min(...figures), percentile(figures, 0.5), percentile(figures, 0.99), Math.max(...figures)].map((one) =>
    one.toFixed(digits),
  ),
]
printTable(
  ['', 'least', 'median', '99 %', 'most'],
  [
    row('orders of a tenant', sizes, 0),
    row('tenants of a cell', counts, 0),
    row('million orders of a cell', orders, 1),
    row(
      'percent of the capacity of a cell',
      shares.map((share) => share * 100),
      1,
    ),
  ],
)
writeFileSync(values.picture, fleetPicture(shares, fullShare))
const fullest = Math.max(...shares)
process.stdout.write(
  `fleet: ${settings.tenants} tenants, ${settings.cells} cells, moves ${moves}, fullest ${(fullest * 100).toFixed(1)} %, ` +
    `limit ${fullShare * 100} %; picture in ${values.picture}\n`,
)
process.exitCode = fullest > fullShare ? 1 : 0
