import { type Alert, hours, minutes } from './signal.ts'

/** Alerts about cells and moves of tenants between them. */
export const cellAlerts: readonly Alert[] = [
  {
    name: 'CellUnserved',
    severity: 'page',
    value: 'min by (cell) (cell_measured_age_seconds)',
    limit: (time) => `> ${time.seconds(10 * minutes, 150)}`,
    for: minutes,
    summary: 'No worker serves a cell.',
    meaning: 'Nothing is minted, matched or delivered for the tenants of this cell. Requests are served.',
    steps: [
      '`maintain list-cells`: is the cell still used? One that was removed stays in the directory.',
      'Fewer workers than `CELLS_PER_PROCESS_MAX` needs: start more.',
      'Log of the workers: the database of the cell cannot be reached, or has another name.',
    ],
    panel: { title: 'Time since a worker measured a cell', dashboard: 'background', unit: 's' },
  },
  {
    name: 'MoveInterrupted',
    severity: 'page',
    value: 'max by (cell) (tenants_leaving)',
    limit: '> 0',
    for: minutes,
    summary: 'A tenant that is moving is served by no cell.',
    meaning:
      'The command that moves it was killed while requests wait, which takes less than a second otherwise: they get 503.',
    steps: [
      '`maintain list-moves`: the tenant with the step `switching`.',
      'Run `maintain move-tenant` again with the same `--to`: it completes the switch, or undoes it. See `move-a-tenant.md`.',
    ],
    panel: { title: 'Tenants whose requests wait for a move', dashboard: 'background', unit: 'short' },
  },
  {
    name: 'CellFills',
    severity: 'ticket',
    value: 'max by (cell) (cell_used_ratio)',
    limit: '> 0.7',
    for: hours,
    summary: 'A cell has used 70 % of its capacity.',
    meaning: 'From 80 % on it gets no new tenants. Existing tenants keep growing.',
    steps: [
      'Move its largest tenants to a cell with room: `maintain move-tenant --dry-run` prints how large a tenant is.',
      'No cell has room: add one with `maintain add-cell`.',
    ],
    panel: { title: 'Used share of the capacity of a cell', dashboard: 'background', unit: 'percentunit' },
  },
  {
    name: 'TenantFilesFill',
    severity: 'ticket',
    value: 'max by (cell) (tenants_files_filling)',
    limit: '> 0',
    for: hours,
    summary: 'A tenant has used 80 % of its room for files.',
    meaning:
      'At 100 % it can store no documents, import no bank files and request no exports. Its own operators got an alarm.',
    steps: [
      'Find the tenant: `select id, file_bytes, file_mebibytes_max from cell.tenant order by file_bytes desc nulls last limit 5` in the database of the cell.',
      'Ask it whether it expects so many files: one clerk can upload them.',
      'Raise its limit with `maintain set-tenant-limits --file-mebibytes` if the cell has room.',
    ],
    panel: { title: 'Tenants that have used 80 % of their room for files', dashboard: 'background', unit: 'short' },
  },
]
