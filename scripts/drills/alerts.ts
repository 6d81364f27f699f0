// Causes faults and waits for their alerts, see deploy/test/alerts: `npm run drill -- alerts --fault "gas empty"`
import { parseArgs } from 'node:util'
import { runFault, whileWatched } from '../../deploy/test/alerts/alert-drill.ts'
import { faults } from '../../deploy/test/alerts/faults.ts'
import { prometheusIsMissing } from '../../deploy/test/alerts/prometheus-server.ts'

const { values } = parseArgs({ options: { fault: { type: 'string', multiple: true, default: [] } } })
const print = (line: string) => process.stdout.write(`${line}\n`)
if (prometheusIsMissing !== false) throw new Error(prometheusIsMissing)
const names = faults.map(({ name }) => name)
const unknown = values.fault.find((name) => !names.includes(name))
if (unknown !== undefined) throw new Error(`--fault ${unknown} must be one of ${names.join(', ')}.`)
const chosen = faults.filter(({ name }) => values.fault.length === 0 || values.fault.includes(name))

let failed = 0
await whileWatched(async (watched) => {
  print('| fault | page | ticket | after | panel: before, during |')
  print('|---|---|---|---|---|')
  for (const fault of chosen) {
    const { seconds, panels, problems } = await runFault(watched, fault)
    const shown = panels.map(({ title, before, during }) => `${title}: ${before}, ${during}`)
    const [pages, tickets] = [fault.pages, fault.tickets].map((alerts) => alerts.join(', ') || 'none')
    print(`| ${fault.name} | ${pages} | ${tickets} | ${seconds.toFixed(0)} s | ${shown.join('; ')} |`)
    for (const problem of problems) print(`PROBLEM ${fault.name}: ${problem}`)
    failed += problems.length > 0 ? 1 : 0
  }
})
print(`${chosen.length} faults, ${failed} with problems`)
process.exitCode = failed > 0 ? 1 : 0
