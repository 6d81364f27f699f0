// Stops everything that runs by itself, one by one, and checks that someone is told: `npm run drill -- silence`
import { whileWatched } from '../../deploy/test/alerts/alert-drill.ts'
import { prometheusIsMissing } from '../../deploy/test/alerts/prometheus-server.ts'
import { realSilences, secondsUntilNoticed } from '../../deploy/test/silence/real-silences.ts'
import { problemsOf } from '../../deploy/test/silence/run-silences.ts'
import { silences } from '../../deploy/test/silence/silences.ts'

const print = (line: string) => process.stdout.write(`${line}\n`)
if (prometheusIsMissing !== false) throw new Error(prometheusIsMissing)

print('| what | stops how | alert | severity | within |')
print('|---|---|---|---|---|')
for (const { kind, name, how, alert, severity, minutes } of silences)
  print(`| ${kind} ${name.trim()} | ${how} | ${alert} | ${severity} | ${minutes} min |`)
const problems = await problemsOf(silences)
for (const problem of problems) print(`PROBLEM ${problem}`)
let [missed, falsePages] = [0, 0]
for (const problem of problems) {
  if (problem.startsWith('false page') || problem.startsWith('noticed before')) falsePages += 1
  else missed += 1
}

print('')
print('| really stopped, with rules 60 times as fast | noticed after |')
print('|---|---|')
await whileWatched(async (watched) => {
  for (const silence of realSilences) {
    const { seconds, falsePages: before } = await secondsUntilNoticed(watched, silence)
    print(`| ${silence.name} | ${seconds === undefined ? 'NOT NOTICED' : `${seconds.toFixed(0)} s`} |`)
    for (const page of before) print(`PROBLEM ${page} pages although all is well`)
    missed += seconds === undefined ? 1 : 0
    falsePages += before.length
  }
})
const stopped = silences.length + realSilences.length
print(`stopped ${stopped}, noticed ${stopped - missed}, false pages ${falsePages}`)
process.exitCode = missed + falsePages > 0 ? 1 : 0
